import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryOverview, PaymentOverview } from '@pay/contract/operator/overview.ts';
import type { QueueAge } from '@pay/contract/operator/queues.ts';
import type { WithdrawalOverview } from '@pay/contract/operator/withdrawals.ts';
import { read } from '../api.ts';
import { age, duration, grouped, words } from '../format.ts';
import { ChartCard } from '../parts/chart.tsx';
import { Bars } from '../parts/drawing.tsx';
import { Fault } from '../parts/page.tsx';
import type { List } from '../types.ts';
import { t } from '../text.ts';

const QUEUED = ['payments', 'bindings', 'withdrawals', 'notifier'] as const;
type Queue = { readonly name: string; readonly waiting: number; readonly oldestAt: string | null };

/** What is waiting now, and for how long. */
export function QueueChart({
  deliveries,
  withdrawals,
  now,
}: {
  readonly deliveries: DeliveryOverview | undefined;
  readonly withdrawals: WithdrawalOverview | undefined;
  readonly now: number;
}): ReactNode {
  const queues = useQueries({
    queries: QUEUED.map((service) => ({ queryKey: ['queues', service], queryFn: () => readQueues(service) })),
  });
  const rows: Queue[] = [
    ...queues.flatMap(({ data }) => data ?? []),
    ...(deliveries === undefined ? [] : [{ name: t('callbacks'), ...deliveries.waiting }]),
    ...(withdrawals?.waiting ?? []).map(({ status, ...one }) => ({
      name: t('withdrawals {state}', { state: words(status).toLowerCase() }),
      ...one,
    })),
  ];
  const ageMs = ({ oldestAt }: Queue) => (oldestAt === null ? 0 : Math.max(0, now - Date.parse(oldestAt)));
  const busy = rows.filter(({ waiting }) => waiting > 0);
  return (
    <ChartCard
      title={t('Queue age')}
      says={
        busy.length === 0
          ? t('All queues are empty.')
          : t('Age of the oldest item; {count} of the queues are not empty.', { count: String(busy.length) })
      }
      table={{
        rows,
        keyOf: ({ name }) => name,
        columns: [
          { title: t('Queue'), cell: ({ name }) => name },
          { title: t('Waiting'), align: 'right', cell: ({ waiting }) => String(waiting) },
          {
            title: t('Oldest for'),
            align: 'right',
            cell: ({ oldestAt }) => (oldestAt === null ? '–' : age(oldestAt, now)),
          },
        ],
      }}
    >
      {queues.map(({ error }, index) => (
        <Fault key={QUEUED[index]} error={error} title={t('Couldn’t load the queues of {service}', { service: QUEUED[index] ?? '' })} />
      ))}
      <Bars rows={busy.map((one) => ({ at: one.name, age: ageMs(one) }))} series={[{ name: 'age', label: t('Age') }]} unit={duration} />
    </ChartCard>
  );
}

async function readQueues(service: (typeof QUEUED)[number]): Promise<Queue[]> {
  const { items } = await read<List<QueueAge>>(`/api/${service}/queues`);
  return items.map(({ queue, ...one }) => ({ name: `${service} ${words(queue).toLowerCase()}`, ...one }));
}

/** The current balances of the ruble ledger's accounts. */
export function BooksChart({ balances }: { readonly balances: PaymentOverview['balances'] }): ReactNode {
  return (
    <ChartCard
      title={t('Ruble books')}
      says={t('Account balances; they sum to 0.00.')}
      table={{
        rows: balances,
        keyOf: ({ account }) => account,
        columns: [
          { title: t('Account'), cell: ({ account }) => words(account) },
          {
            title: t('RUB'),
            align: 'right',
            cell: ({ balance }) => <span className="numbers">{grouped(balance)}</span>,
          },
        ],
      }}
    >
      <Bars
        rows={balances.map(({ account, share: part }) => ({ at: words(account), share: part }))}
        series={[{ name: 'share', label: t('Size') }]}
      />
    </ChartCard>
  );
}

const PARTS = [
  { name: 'availableShare', label: t('available') },
  { name: 'reservedShare', label: t('reserved') },
  { name: 'paidShare', label: t('paid out') },
] as const;

/** Where the credited USDT are now. */
export function BalancesChart({ overview }: { readonly overview: WithdrawalOverview }): ReactNode {
  const { balances } = overview;
  const amount = (text: string) => <span className="numbers">{grouped(text)}</span>;
  return (
    <ChartCard
      title={t('USDT balances')}
      says={balances.length === 0 ? t('No store has been credited yet.') : t('USDT by store: available, reserved, paid out.')}
      series={PARTS}
      table={{
        rows: balances,
        keyOf: ({ storeId }) => storeId,
        columns: [
          { title: t('Store'), cell: ({ name }) => name },
          { title: t('Available'), align: 'right', cell: ({ availableUsdt }) => amount(availableUsdt) },
          { title: t('Reserved'), align: 'right', cell: ({ reservedUsdt }) => amount(reservedUsdt) },
          { title: t('Paid out'), align: 'right', cell: ({ paidUsdt }) => amount(paidUsdt) },
        ],
      }}
    >
      <Bars
        rows={balances.map(({ name, availableShare, reservedShare, paidShare }) => ({
          at: name,
          availableShare,
          reservedShare,
          paidShare,
        }))}
        series={PARTS}
      />
    </ChartCard>
  );
}
