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
import { t } from '../text.ts';

type Day = Reconciliation & { readonly items: readonly ReconciliationDifference[] };
type Side = ReconciliationDifference['bank'];

const sideOf = ({ status, amount }: Side) => (
  <span className="numbers">
    {status === null ? '–' : words(status)} {amount === null ? '' : grouped(amount)}
  </span>
);

const COLUMNS: readonly Column<ReconciliationDifference>[] = [
  { title: t('Result'), cell: ({ result }) => words(result) },
  { title: t('Kind'), cell: ({ kind }) => words(kind) },
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
  {
    title: t('Bank operation'),
    cell: ({ bankOperationId }) => (bankOperationId === null ? '–' : <Id>{bankOperationId}</Id>),
  },
  { title: t('Bank'), cell: ({ bank }) => sideOf(bank) },
  { title: t('Ours'), cell: ({ ours }) => sideOf(ours) },
];

/** One day of a route: the totals, what did not match, and the exceptions that say what was done about it. */
export function ReconciliationPage({ routeId, date }: { readonly routeId: string; readonly date: string }): ReactNode {
  const day = useQuery({
    queryKey: ['/api/payments/reconciliations', routeId, date],
    queryFn: () => read<Day>(`/api/payments/reconciliations/${encodeURIComponent(routeId)}/${encodeURIComponent(date)}`),
  });
  return (
    <Page title={t('Reconciliation of {date}', { date })} aside={<Link href="/reconciliations">{t('All days')}</Link>}>
      {day.isPending ? <Waiting /> : null}
      <Fault error={day.error} title={t('Couldn’t load the day')} />
      {day.data === undefined ? null : (
        <Stack>
          <Paper withBorder p="md">
            <Facts facts={factsOf(day.data)} />
          </Paper>
          <Link href={`/exceptions?date=${date}`}>{t('Exceptions of this day, and what was done')}</Link>
          <DataTable
            label={t('Differences')}
            rows={day.data.items}
            columns={COLUMNS}
            keyOf={({ operationId, bankOperationId, kind }) => `${kind} ${operationId ?? ''} ${bankOperationId ?? ''}`}
            empty={t('Everything matched.')}
          />
        </Stack>
      )}
    </Page>
  );
}

function factsOf({ routeId, status, startedAt, completedAt, requestedBy, bankTotal, ourTotal, difference, counts }: Day) {
  const rubles = (text: string | null) => (text === null ? undefined : `${grouped(text)} RUB`);
  return [
    [t('State'), <State key="state" value={status} />],
    [t('Route'), routeId],
    [t('Bank'), rubles(bankTotal)],
    [t('Ours'), rubles(ourTotal)],
    [t('Difference'), rubles(difference)],
    ...Object.entries(counts).map(([result, count]) => [words(result), String(count)] as const),
    [t('Started'), <Moment key="started" at={startedAt} />],
    [t('Completed'), <Moment key="completed" at={completedAt} />],
    [t('Asked for by'), requestedBy ?? t('the schedule')],
  ] as const;
}
