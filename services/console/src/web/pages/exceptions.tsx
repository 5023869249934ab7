import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ReconciliationException } from '@pay/contract/operator/exceptions.ts';
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
import { said, t } from '../text.ts';

const PATH = '/api/payments/exceptions';
const FIELDS = [
  { name: 'kind', label: t('Kind') },
  { name: 'date', label: t('Day'), placeholder: '2026-01-31' },
] as const;

/** Where the bank and our books disagree. Nothing corrects itself: a person resolves each exception, with a note. */
export function ExceptionsPage(): ReactNode {
  const [{ status = 'OPEN', ...filter }, change] = useFilters(['status', 'kind', 'date']);
  const shown = { ...filter, ...queueOf(status, 'OPEN') };
  const list = useList<ReconciliationException>(PATH, shown);
  const [chosen, setChosen] = useState<string>();
  const readBack = useAct([[PATH]]);
  const resolve = useAct([[PATH]], () => {
    setChosen(undefined);
  });
  return (
    <Page
      title={t('Exceptions')}
      aside={<ExportLink file="exceptions.csv" action="exceptions.export" filter={shown} />}
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
        list={list}
        columns={columns(setChosen, (id) => {
          readBack.mutate({ path: `${PATH}/${id}/read-back`, body: {} });
        })}
        keyOf={({ exceptionId }) => exceptionId}
        empty={t('No exceptions match these filters.')}
      />
      <Dialog
        title={t('Resolve this exception')}
        opened={chosen !== undefined}
        onClose={() => {
          setChosen(undefined);
        }}
      >
        <TextForm
          button={t('Resolve')}
          act={resolve}
          fields={[{ name: 'note', label: t('What was found and done') }]}
          onSubmit={(body) => {
            resolve.mutate({ path: `${PATH}/${chosen ?? ''}/settle`, body });
          }}
        />
      </Dialog>
    </Page>
  );
}

/** What one side says about the money. */
const sideOf = ({ status, amount }: ReconciliationException['ours']): string =>
  `${status === null ? '–' : words(status)} ${amount === null ? '' : grouped(amount)}`;

function columns(
  onResolve: (id: string) => void,
  onReadBack: (id: string) => void,
): readonly Column<ReconciliationException>[] {
  return [
    { title: t('Found'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    { title: t('Kind'), cell: ({ kind }) => words(kind) },
    { title: t('Reason'), cell: ({ reason }) => said(reason) },
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
      cell: (exception) => <Resolve exception={exception} onResolve={onResolve} onReadBack={onReadBack} />,
    },
  ];
}

function Resolve({
  exception,
  onResolve,
  onReadBack,
}: {
  readonly exception: ReconciliationException;
  readonly onResolve: (id: string) => void;
  readonly onReadBack: (id: string) => void;
}): ReactNode {
  const may = useMay();
  if (exception.status !== 'OPEN' || !may('exceptions.settle')) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        onClick={() => {
          onResolve(exception.exceptionId);
        }}
      >
        {t('Resolve')}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => {
          onReadBack(exception.exceptionId);
        }}
      >
        {t('Ask the bank')}
      </Button>
    </Group>
  );
}
