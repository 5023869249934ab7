import { Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Proposal } from '@pay/contract/operator/proposals.ts';
import { post } from '../api.ts';
import { fromKopecks, grouped, kopecks, words } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import { countsOf, OneByOneProgress, Refusals, refusedOr, useAllNow, useOneByOne, type Refused } from '../parts/one-by-one.tsx';
import { Fault } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import { TypedConfirmation } from '../parts/typed-confirmation.tsx';
import { useSession } from '../session.ts';
import { t, tx } from '../text.ts';

export const PROPOSALS = '/api/payments/proposals';

/** What there can be many of: after a restore, or when many orders are given back. A point is looked at one by one. */
const KINDS = ['RETURN', 'BOOK', 'REFUND'] as const;
type Kind = (typeof KINDS)[number];

/**
 * The second person confirms all open proposals of one kind that others made. Each is confirmed on its own, for the amount that it names;
 * the service refuses what is no longer as it was proposed. What is proposed after the dialog was opened is not included.
 * See decisions/four-eyes.
 */
export function ProposalsInBulk({ initial }: { readonly initial: string | undefined }): ReactNode {
  const [kind, setKind] = useState<Kind>(KINDS.find((one) => one === initial) ?? 'RETURN');
  const [isStarted, setStarted] = useState(false);
  return (
    <Stack>
      {isStarted ? null : (
        <Choice
          label={t('Kind')}
          value={kind}
          options={KINDS.map((value) => ({ value, label: words(value) }))}
          onChange={(value) => {
            setKind(KINDS.find((one) => one === value) ?? kind);
          }}
        />
      )}
      <AllOf
        key={kind}
        kind={kind}
        onStart={() => {
          setStarted(true);
        }}
      />
    </Stack>
  );
}

function AllOf({ kind, onStart }: { readonly kind: Kind; readonly onStart: () => void }): ReactNode {
  const { login } = useSession();
  const open = useAllNow<Proposal>(PROPOSALS, { status: 'PROPOSED', kind, order: 'oldest' });
  if (open.isPending) return <Waiting />;
  if (open.isError) return <Fault error={open.error} title={t('Couldn’t load the proposals')} />;
  const others = open.data.filter(({ proposedBy }) => proposedBy !== login);
  const wanted = others.filter(({ expiresAt }) => Date.parse(expiresAt) > open.dataUpdatedAt);
  return (
    <ConfirmAll
      kind={kind}
      wanted={wanted}
      own={open.data.length - others.length}
      expired={others.length - wanted.length}
      onStart={onStart}
    />
  );
}

type Result = { readonly id: string; readonly is: 'done' } | Refused;

function ConfirmAll({
  kind,
  wanted,
  own,
  expired,
  onStart,
}: {
  readonly kind: Kind;
  readonly wanted: readonly Proposal[];
  readonly own: number;
  readonly expired: number;
  readonly onStart: () => void;
}): ReactNode {
  const run = useOneByOne<Result>([[PROPOSALS]], (id) =>
    refusedOr(id, async () => {
      await post(`${PROPOSALS}/${id}/confirm`);
      return { id, is: 'done' };
    }),
  );
  if (run.results !== undefined)
    return (
      <OneByOneProgress run={run} total={wanted.length}>
        <Results results={run.results} left={wanted.length - run.results.length} />
      </OneByOneProgress>
    );
  return (
    <TypedConfirmation
      word={kind}
      button={t('Confirm {count}', { count: String(wanted.length) })}
      color={kind === 'BOOK' ? 'indigo' : 'red'}
      isNothing={wanted.length === 0}
      effect={wanted.length === 0 ? t('No proposals of this kind wait for you.') : <Effect kind={kind} wanted={wanted} />}
      onConfirm={() => {
        onStart();
        void run.start(wanted.map(({ proposalId }) => proposalId));
      }}
    >
      <Text size="sm">
        {t('Each is confirmed for the amount that it names. What has changed since it was proposed is refused.')}
        {own + expired === 0
          ? null
          : ` ${t('Not included: {own} of your own, {expired} expired.', { own: String(own), expired: String(expired) })}`}
      </Text>
    </TypedConfirmation>
  );
}

function Effect({ kind, wanted }: { readonly kind: Kind; readonly wanted: readonly Proposal[] }): ReactNode {
  const sum = wanted.reduce((so, { asked }) => so + (kopecks(asked.amount ?? '') ?? 0n), 0n);
  const named = {
    count: <strong>{wanted.length}</strong>,
    amount: <strong className="numbers">{grouped(fromKopecks(sum))} RUB</strong>,
  };
  if (kind === 'RETURN') {
    return tx(
      'Returns: {count}, {amount} in all, which the bank took for orders unknown to us. The money goes back to the buyers. This can’t be undone.',
      named,
    );
  }
  if (kind === 'REFUND') {
    return tx(
      'Refunds: {count}, {amount} in all. The money goes back to the buyers, and the partners are notified. This can’t be undone.',
      named,
    );
  }
  const points = new Set(wanted.map(({ asked }) => asked.order?.paymentPointID ?? '–'));
  return tx('Bookings: {count}, {amount} in all, at the points {points}. Their partners are credited and notified. This can’t be undone.', {
    ...named,
    points: [...points].join(', '),
  });
}

function Results({ results, left }: { readonly results: readonly Result[]; readonly left: number }): ReactNode {
  return (
    <>
      {tx('{done} confirmed, {refused} refused, {left} left.', countsOf(results, left))}
      <Refusals results={results} />
    </>
  );
}
