import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Reconciliation } from '@pay/contract/operator/exceptions.ts';
import { queryOf, read } from '../api.ts';
import { grouped } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import type { List } from '../types.ts';
import { t } from '../text.ts';

const PATH = '/api/payments/reconciliations';
const FIELDS = [{ name: 'date', label: t('Day, UTC'), placeholder: '2026-01-31' }] as const;

/** Every day of every route beside the bank's register. Differences become exceptions, which people resolve. */
export function ReconciliationsPage(): ReactNode {
  const [filter, change] = useFilters(['date']);
  const days = useQuery({
    queryKey: [PATH, filter],
    queryFn: () => read<List<Reconciliation>>(`${PATH}${queryOf({ ...filter, limit: '100' })}`),
  });
  const run = useAct([[PATH], ['/api/payments/exceptions']]);
  return (
    <Page
      title={t('Reconciliation')}
      aside={
        <Group gap="sm">
          <Link href="/exceptions?status=OPEN">{t('Open exceptions')}</Link>
          <ExportLink list="reconciliations" action="reconciliations.export" filter={filter} />
        </Group>
      }
    >
      <Text size="sm">
        {t(
          'Each closed day is compared with the bank’s register. Nothing is corrected by itself: a difference becomes an exception that a person resolves.',
        )}
      </Text>
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      {days.isPending ? <Waiting /> : null}
      <Fault error={days.error} title={t('Couldn’t load the days')} fields={FIELDS} />
      <Fault error={run.error} title={t('Couldn’t reconcile')} />
      {days.data === undefined ? null : (
        <DataTable
          label={t('Days')}
          rows={days.data.items}
          keyOf={keyOf}
          empty={t('No days match. A day is compared after it has ended.')}
          columns={columns((body) => {
            run.mutate({ path: PATH, body });
          })}
        />
      )}
    </Page>
  );
}

const keyOf = ({ date, routeId }: Reconciliation) => `${date} ${routeId}`;
const rubles = (text: string | null) => (text === null ? '–' : <span className="numbers">{grouped(text)}</span>);

/** Items that did not match, and are not in progress either. */
const differencesOf = ({ counts }: Reconciliation): number =>
  Object.entries(counts).reduce((sum, [result, count]) => (result === 'MATCHED' || result === 'IN_PROGRESS' ? sum : sum + count), 0);

function columns(onRun: (day: { date: string; routeId: string }) => void): readonly Column<Reconciliation>[] {
  return [
    {
      title: t('Day'),
      cell: ({ date, routeId }) => (
        <Link href={`/reconciliations/${encodeURIComponent(routeId)}/${date}`}>
          {date} {routeId}
        </Link>
      ),
    },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    { title: t('Matched'), align: 'right', cell: ({ counts }) => String(counts.MATCHED) },
    { title: t('In progress'), align: 'right', cell: ({ counts }) => String(counts.IN_PROGRESS) },
    { title: t('Differences'), align: 'right', cell: (day) => String(differencesOf(day)) },
    { title: t('Bank, RUB'), align: 'right', cell: ({ bankTotal }) => rubles(bankTotal) },
    { title: t('Ours, RUB'), align: 'right', cell: ({ ourTotal }) => rubles(ourTotal) },
    { title: t('Difference, RUB'), align: 'right', cell: ({ difference }) => rubles(difference) },
    { title: t('Compared'), cell: ({ completedAt }) => <Moment at={completedAt} /> },
    { title: t('Actions'), cell: (day) => <CompareAgain day={day} onRun={onRun} /> },
  ];
}

function CompareAgain({
  day: { date, routeId },
  onRun,
}: {
  readonly day: Reconciliation;
  readonly onRun: (day: { date: string; routeId: string }) => void;
}): ReactNode {
  const may = useMay();
  if (!may('reconciliations.run')) return null;
  return (
    <ConfirmButton
      size="compact-xs"
      color="indigo"
      label={t('Compare again')}
      name={`${t('Compare again')}: ${date} ${routeId}`}
      explains={t('The bank’s register of {date} is read again and compared with the payments of {route}. No money moves.', {
        date,
        route: routeId,
      })}
      onConfirm={() => {
        onRun({ date, routeId });
      }}
    />
  );
}
