import { SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryOverview, PaymentOverview } from '@pay/contract/operator/overview.ts';
import type { WithdrawalOverview } from '@pay/contract/operator/withdrawals.ts';
import { isUnavailable, queryOf, read } from '../api.ts';
import { moment, utc } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Fault, Page } from '../parts/page.tsx';
import { refetchEvery } from '../query-client.ts';
import { useNow } from '../parts/use-now.ts';
import { BalancesChart, BooksChart, QueueChart } from './overview-now.tsx';
import { Tiles } from './overview-tiles.tsx';
import { LagChart, PaymentCharts } from './overview-time.tsx';
import { t } from '../text.ts';

const RANGES = [
  { value: '1h', label: t('Hour'), hours: 1, stepMinutes: 5 },
  { value: '24h', label: t('Day'), hours: 24, stepMinutes: 60 },
  { value: '7d', label: t('Week'), hours: 7 * 24, stepMinutes: 6 * 60 },
  { value: '30d', label: t('30 days'), hours: 30 * 24, stepMinutes: 24 * 60 },
] as const;
const FIELDS = [
  { name: 'from', label: t('From, UTC'), placeholder: '2026-01-31 00:00' },
  { name: 'to', label: t('To, UTC'), placeholder: '2026-02-01 00:00' },
] as const;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

type Range = { readonly from: string; readonly to: string };

/** How the service is doing: payment outcomes, speed, queues, and the books. */
export function OverviewPage(): ReactNode {
  const [{ range, ...asked }, change] = useFilters(['range', 'from', 'to']);
  const now = useNow();
  const chosen = asked.from !== undefined && asked.to !== undefined ? undefined : (range ?? '24h');
  const shown = rangeOf(chosen, asked, now);
  return (
    <Page
      title={t('Overview')}
      aside={
        <Choice
          label={t('Time range')}
          value={chosen ?? ''}
          options={RANGES}
          onChange={(value) => {
            change({ range: value, from: '', to: '' });
          }}
        />
      }
    >
      <Text size="sm" c="dimmed">
        {t('{from} to {to}', { from: utc(shown.from), to: utc(shown.to) })}
      </Text>
      <FilterForm fields={FIELDS} filter={asked} onChange={change} button={t('Show')} />
      <Figures range={shown} now={now} />
    </Page>
  );
}

/** Rounded to whole steps, so that buckets begin where people expect them; the last one is still open. */
function rangeOf(chosen: string | undefined, { from, to }: Partial<Range>, now: number): Range {
  if (chosen === undefined && from !== undefined && to !== undefined) return { from: moment(from), to: moment(to) };
  const { hours, stepMinutes } = RANGES.find(({ value }) => value === chosen) ?? RANGES[1];
  const step = stepMinutes * MINUTE_MS;
  const end = Math.ceil(now / step) * step;
  return { from: new Date(end - hours * HOUR_MS).toISOString(), to: new Date(end).toISOString() };
}

function Figures({ range, now }: { readonly range: Range; readonly now: number }): ReactNode {
  const payments = useOverview<PaymentOverview>('payments', range);
  const before = useOverview<PaymentOverview>('payments', rangeBefore(range));
  const deliveries = useOverview<DeliveryOverview>('notifier', range);
  const withdrawals = useOverview<WithdrawalOverview>('withdrawals');
  const label = labelOf(range);
  return (
    <>
      <Fault error={isUnavailable(payments.error) ? null : payments.error} title={t('Couldn’t load the statistics')} fields={FIELDS} />
      <Tiles payments={payments} before={before.data} deliveries={deliveries} range={range} now={now} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" mt="md" className="charts">
        {payments.data === undefined ? null : <PaymentCharts overview={payments.data} label={label} />}
        {deliveries.data === undefined ? null : <LagChart overview={deliveries.data} label={label} />}
        <QueueChart deliveries={deliveries.data} withdrawals={withdrawals.data} now={now} />
        {payments.data === undefined ? null : <BooksChart balances={payments.data.balances} />}
        <Fault error={withdrawals.error} title={t('Couldn’t load the balances')} />
        {withdrawals.data === undefined ? null : <BalancesChart overview={withdrawals.data} />}
      </SimpleGrid>
    </>
  );
}

/** As long as the range, and ends where it begins. */
function rangeBefore({ from, to }: Range): Range {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) return { from, to };
  return { from: new Date(2 * start - end).toISOString(), to: new Date(start).toISOString() };
}

function useOverview<T>(service: string, range: Partial<Range> = {}): UseQueryResult<T> {
  const path = `/api/${service}/overview`;
  return useQuery({
    queryKey: [path, range],
    queryFn: () => read<T>(`${path}${queryOf(range)}`),
    placeholderData: keepPreviousData,
    refetchInterval: refetchEvery(MINUTE_MS),
  });
}

/** `10:05` within two days, else `11-21 10:00`. UTC, as everywhere. */
function labelOf({ from, to }: Range): (at: string) => string {
  const isShort = Date.parse(to) - Date.parse(from) <= 48 * HOUR_MS;
  return (at) => (isShort ? at.slice(11, 16) : `${at.slice(5, 10)} ${at.slice(11, 16)}`);
}
