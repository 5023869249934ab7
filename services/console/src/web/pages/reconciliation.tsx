import { Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Reconciliation, ReconciliationDifference } from '@pay/contract/operator/exceptions.ts';
import { read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { Facts, Fault, Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';

type Day = Reconciliation & { readonly items: readonly ReconciliationDifference[] };
type Side = ReconciliationDifference['bank'];

const sideOf = ({ status, amount }: Side) => (
  <span className="numbers">
    {status === null ? '–' : words(status)} {amount === null ? '' : grouped(amount)}
  </span>
);

const COLUMNS: readonly Column<ReconciliationDifference>[] = [
  { title: 'Result', cell: ({ result }) => words(result) },
  { title: 'Kind', cell: ({ kind }) => words(kind) },
  {
    title: 'Payment',
    cell: ({ paymentId }) =>
      paymentId === null ? (
        '–'
      ) : (
        <Link href={`/payments/${paymentId}`}>
          <Id>{paymentId}</Id>
        </Link>
      ),
  },
  {
    title: 'Bank operation',
    cell: ({ bankOperationId }) => (bankOperationId === null ? '–' : <Id>{bankOperationId}</Id>),
  },
  { title: 'Bank', cell: ({ bank }) => sideOf(bank) },
  { title: 'Ours', cell: ({ ours }) => sideOf(ours) },
];

/** One day of a route: the totals, what did not match, and the exceptions that say what was done about it. */
export function ReconciliationPage({ routeId, date }: { readonly routeId: string; readonly date: string }): ReactNode {
  const day = useQuery({
    queryKey: ['/api/payments/reconciliations', routeId, date],
    queryFn: () =>
      read<Day>(`/api/payments/reconciliations/${encodeURIComponent(routeId)}/${encodeURIComponent(date)}`),
  });
  return (
    <Page title={`Reconciliation of ${date}`} aside={<Link href="/reconciliations">All days</Link>}>
      {day.isPending ? <Waiting /> : null}
      <Fault error={day.error} title="Couldn’t load the day" />
      {day.data === undefined ? null : (
        <Stack>
          <Paper withBorder p="md">
            <Facts facts={factsOf(day.data)} />
          </Paper>
          <Link href={`/exceptions?date=${date}`}>Exceptions of this day, and what was done</Link>
          <DataTable
            label="Differences"
            rows={day.data.items}
            columns={COLUMNS}
            keyOf={({ operationId, bankOperationId, kind }) => `${kind} ${operationId ?? ''} ${bankOperationId ?? ''}`}
            empty="Everything matched."
          />
        </Stack>
      )}
    </Page>
  );
}

function factsOf({
  routeId,
  status,
  startedAt,
  completedAt,
  requestedBy,
  bankTotal,
  ourTotal,
  difference,
  counts,
}: Day) {
  const rubles = (text: string | null) => (text === null ? undefined : `${grouped(text)} RUB`);
  return [
    ['State', <State key="state" value={status} />],
    ['Route', routeId],
    ['Bank', rubles(bankTotal)],
    ['Ours', rubles(ourTotal)],
    ['Difference', rubles(difference)],
    ...Object.entries(counts).map(([result, count]) => [words(result), String(count)] as const),
    ['Started', <Moment key="started" at={startedAt} />],
    ['Completed', <Moment key="completed" at={completedAt} />],
    ['Asked for by', requestedBy ?? 'the schedule'],
  ] as const;
}
