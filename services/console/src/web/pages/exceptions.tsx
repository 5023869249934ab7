import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ReconciliationException } from '@pay/contract/operator/exceptions.ts';
import { EXCEPTION_KINDS } from '@pay/contract/operator/states.ts';
import { grouped, words } from '../format.ts';
import { QueueChoice, queueOf } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import { t } from '../text.ts';
import { EXCEPTIONS, remediesOf, RemedyForm, type Remedy } from './exception-acts.tsx';
import { reasonOf } from './exception-reason.ts';
import { ExceptionsInBulk } from './exceptions-in-bulk.tsx';

const FIELDS = [
  { name: 'kind', label: t('Kind'), options: EXCEPTION_KINDS },
  { name: 'date', label: t('Day'), placeholder: '2026-01-31' },
] as const;

type Act = Remedy | 'resolve';
type Chosen = { readonly act: Act; readonly exception: ReconciliationException };

/** Where the bank and our books disagree. Nothing corrects itself: a person resolves each exception. */
export function ExceptionsPage(): ReactNode {
  const [{ status = 'OPEN', ...filter }, change] = useFilters(['status', 'kind', 'date']);
  const shown = { ...filter, ...queueOf(status, 'OPEN') };
  const list = useList<ReconciliationException>(EXCEPTIONS, shown);
  const [chosen, setChosen] = useState<Chosen>();
  const [isBulk, setBulk] = useState(false);
  const may = useMay();
  const readBack = useAct([[EXCEPTIONS]]);
  const close = () => {
    setChosen(undefined);
  };
  return (
    <Page
      title={t('Exceptions')}
      aside={
        <Group gap="xs">
          {may('exceptions.settle') ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setBulk(true);
              }}
            >
              {t('Book or return in bulk')}
            </Button>
          ) : null}
          <ExportLink list="exceptions" action="exceptions.export" filter={shown} />
        </Group>
      }
    >
      <Fault error={readBack.error} />
      <QueueChoice
        value={status}
        waiting={{ value: 'OPEN', label: t('Open, oldest first') }}
        ended={{ value: 'RESOLVED', label: t('Resolved') }}
        onChange={change}
      />
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label={t('Exceptions')}
        filters={FIELDS}
        list={list}
        columns={columns(setChosen, (id) => {
          readBack.mutate({ path: `${EXCEPTIONS}/${id}/read-back`, body: {} });
        })}
        keyOf={({ exceptionId }) => exceptionId}
        empty={t('No exceptions match these filters.')}
      />
      <Dialog title={chosen === undefined ? '' : TITLES[chosen.act]} opened={chosen !== undefined} onClose={close}>
        {chosen === undefined ? null : chosen.act === 'resolve' ? (
          <ResolveForm exceptionId={chosen.exception.exceptionId} onDone={close} />
        ) : (
          <RemedyForm remedy={chosen.act} exception={chosen.exception} onDone={close} />
        )}
      </Dialog>
      <Dialog
        title={t('Book or return in bulk')}
        opened={isBulk}
        onClose={() => {
          setBulk(false);
        }}
      >
        {isBulk ? <ExceptionsInBulk date={filter.date} /> : null}
      </Dialog>
    </Page>
  );
}

const TITLES = {
  book: t('Book what the bank has'),
  return: t('Return to the buyer'),
  resolve: t('Resolve this exception'),
} as const satisfies Record<Act, string>;

function ResolveForm({ exceptionId, onDone }: { readonly exceptionId: string; readonly onDone: () => void }): ReactNode {
  const resolve = useAct([[EXCEPTIONS]], onDone);
  return (
    <TextForm
      button={t('Resolve')}
      act={resolve}
      fields={[{ name: 'note', label: t('What was found and done') }]}
      onSubmit={(body) => {
        resolve.mutate({ path: `${EXCEPTIONS}/${exceptionId}/settle`, body });
      }}
    />
  );
}

/** What one side says about the money. */
const sideOf = ({ status, amount }: ReconciliationException['ours']): string =>
  `${status === null ? '–' : words(status)} ${amount === null ? '' : grouped(amount)}`;

function columns(onChoose: (chosen: Chosen) => void, onReadBack: (id: string) => void): readonly Column<ReconciliationException>[] {
  return [
    { title: t('Found'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    { title: t('Kind'), cell: ({ kind }) => words(kind) },
    { title: t('Reason'), cell: reasonOf },
    {
      title: t('Payment'),
      cell: ({ paymentId }) =>
        paymentId === null ? (
          '–'
        ) : (
          <Link href={`/payments/${paymentId}`}>
            <Id>{paymentId}</Id>
          </Link>
        ),
    },
    { title: t('Bank'), cell: ({ bank }) => sideOf(bank) },
    { title: t('Ours'), cell: ({ ours }) => sideOf(ours) },
    {
      title: t('Resolved by'),
      cell: ({ resolvedBy, note }) => (resolvedBy === null ? '–' : `${resolvedBy}: ${note ?? ''}`),
    },
    {
      title: t('Actions'),
      cell: (exception) => <Actions exception={exception} onChoose={onChoose} onReadBack={onReadBack} />,
    },
  ];
}

function Actions({
  exception,
  onChoose,
  onReadBack,
}: {
  readonly exception: ReconciliationException;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onReadBack: (id: string) => void;
}): ReactNode {
  const may = useMay();
  const { exceptionId, status, paymentId } = exception;
  if (status !== 'OPEN' || !may('exceptions.settle')) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {[...remediesOf(exception), 'resolve' as const].map((act) => (
        <Button
          key={act}
          size="compact-xs"
          variant={VARIANTS[act]}
          color={act === 'return' ? 'red' : 'indigo'}
          onClick={() => {
            onChoose({ act, exception });
          }}
        >
          {LABELS[act]}
        </Button>
      ))}
      {paymentId === null ? null : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            onReadBack(exceptionId);
          }}
        >
          {t('Ask the bank')}
        </Button>
      )}
    </Group>
  );
}

const VARIANTS = { book: 'filled', return: 'outline', resolve: 'default' } as const satisfies Record<Act, string>;
const LABELS = {
  book: t('Book'),
  return: t('Return'),
  resolve: t('Resolve'),
} as const satisfies Record<Act, string>;
