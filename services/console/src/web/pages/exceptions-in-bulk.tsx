import { Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ReconciliationException } from '@pay/contract/operator/exceptions.ts';
import { post } from '../api.ts';
import { fromKopecks, grouped, kopecks } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import { countsOf, OneByOneProgress, Refusals, refusedOr, useAllNow, useOneByOne, type Refused } from '../parts/one-by-one.tsx';
import { Fault } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import { TypedConfirmation } from '../parts/typed-confirmation.tsx';
import { t, tx } from '../text.ts';
import { EXCEPTIONS, type Remedy } from './exception-acts.tsx';

/** After a restore: the refunds that only the bank knows are booked, the payments that no partner claims returned. */
const ACTS = {
  book: { kind: 'REFUND', label: t('Book refunds') },
  return: { kind: 'PAYMENT', label: t('Return payments') },
} as const satisfies Record<Remedy, { kind: 'PAYMENT' | 'REFUND'; label: string }>;

const KIND = 'MISSING_HERE';

/** `date`: of this day alone. What is found after the dialog was opened is not included. */
export function ExceptionsInBulk({ date }: { readonly date: string | undefined }): ReactNode {
  const [remedy, setRemedy] = useState<Remedy>('book');
  const [isStarted, setStarted] = useState(false);
  const open = useAllNow<ReconciliationException>(EXCEPTIONS, { status: 'OPEN', kind: KIND, order: 'oldest', date });
  if (open.isPending) return <Waiting />;
  if (open.isError) return <Fault error={open.error} title={t('Couldn’t load the list')} />;
  return (
    <Stack>
      {isStarted ? null : (
        <Choice
          label={t('Actions')}
          value={remedy}
          options={[
            { value: 'book', label: ACTS.book.label },
            { value: 'return', label: ACTS.return.label },
          ]}
          onChange={(value) => {
            setRemedy(value === 'return' ? 'return' : 'book');
          }}
        />
      )}
      <AllOf
        key={remedy}
        remedy={remedy}
        word={date ?? KIND}
        wanted={open.data.filter(({ unknownOperation }) => unknownOperation?.kind === ACTS[remedy].kind)}
        onStart={() => {
          setStarted(true);
        }}
      />
    </Stack>
  );
}

type Result = { readonly id: string; readonly is: 'done' | 'proposed' } | Refused;

const carryOut = (remedy: Remedy, id: string): Promise<Result> =>
  refusedOr(id, async () => {
    const answer = await post<object>(`${EXCEPTIONS}/${id}/${remedy}`, remedy === 'book' ? {} : undefined);
    return { id, is: 'proposal' in answer ? 'proposed' : 'done' };
  });

function AllOf({
  remedy,
  word,
  wanted,
  onStart,
}: {
  readonly remedy: Remedy;
  readonly word: string;
  readonly wanted: readonly ReconciliationException[];
  readonly onStart: () => void;
}): ReactNode {
  const run = useOneByOne([[EXCEPTIONS]], (id) => carryOut(remedy, id));
  if (run.results !== undefined)
    return (
      <OneByOneProgress run={run} total={wanted.length}>
        <Results remedy={remedy} results={run.results} left={wanted.length - run.results.length} />
      </OneByOneProgress>
    );
  const sum = wanted.reduce((so, { bank }) => so + (kopecks(bank.amount ?? '') ?? 0n), 0n);
  const named = {
    count: <strong>{wanted.length}</strong>,
    amount: <strong className="numbers">{grouped(fromKopecks(sum))} RUB</strong>,
  };
  return (
    <TypedConfirmation
      word={word}
      button={ACTS[remedy].label}
      color={remedy === 'return' ? 'red' : 'indigo'}
      isNothing={wanted.length === 0}
      effect={
        remedy === 'book'
          ? tx(
              'Refunds: {count}, {amount} in all. Each will be booked against its payment, and its partner notified. No money moves.',
              named,
            )
          : tx(
              'Payments: {count}, {amount} in all. Each will be returned to its buyer. First book those that partners claim: a return can’t be undone.',
              named,
            )
      }
      onConfirm={() => {
        onStart();
        void run.start(wanted.map(({ exceptionId }) => exceptionId));
      }}
    />
  );
}

function Results({
  remedy,
  results,
  left,
}: {
  readonly remedy: Remedy;
  readonly results: readonly Result[];
  readonly left: number;
}): ReactNode {
  const counts = countsOf(results, left);
  return (
    <>
      {remedy === 'book'
        ? tx('{done} booked, {refused} refused, {left} left.', counts)
        : tx('{done} returned, {proposed} proposed, {refused} refused, {left} left.', counts)}
      <Refusals results={results} />
    </>
  );
}
