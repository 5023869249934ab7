import type { ReactNode } from 'react';
import type { DeliveryOverview, PaymentOverview } from '@pay/contract/operator/overview.ts';
import { duration, grouped, percent, share, total, utc, words } from '../format.ts';
import { ChartCard } from '../parts/chart.tsx';
import { Bars, OverTime, type Point } from '../parts/drawing.tsx';
import type { Timed } from '../types.ts';
import { attemptsIn } from './overview-tiles.tsx';
import { t } from '../text.ts';

type Label = (at: string) => string;

/** Payment outcomes over time. */
export function PaymentCharts({ overview, label }: { readonly overview: PaymentOverview; readonly label: Label }): ReactNode {
  const { buckets, failures } = overview;
  const keyOf = ({ at }: { at: string }) => at;
  const ended = buckets.map(({ at, completed, failed, expired, cancelled }) => {
    const attempts = completed + failed - expired - cancelled;
    return { at: label(at), share: attempts === 0 ? null : percent(completed, attempts) };
  });
  const took = buckets.map(({ at, medianMs, p95Ms }) => ({ at: label(at), medianMs, p95Ms }));
  const { paid, attempts } = attemptsIn(overview);
  const slowest = Math.max(0, ...buckets.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <>
      <Volume buckets={buckets} label={label} />
      <ChartCard
        title={t('Success share')}
        says={t('{share} of completed attempts at payment were paid. Sessions without an attempt are not counted.', {
          share: share(paid, attempts),
        })}
        table={{
          rows: buckets,
          keyOf,
          columns: [
            { title: t('From'), cell: ({ at }) => utc(at) },
            { title: t('Created'), align: 'right', cell: (bucket) => String(bucket.created) },
            { title: t('Paid'), align: 'right', cell: (bucket) => String(bucket.completed) },
            { title: t('Failed'), align: 'right', cell: (bucket) => String(bucket.failed) },
            {
              title: t('Paid, RUB'),
              align: 'right',
              cell: ({ amount }) => <span className="numbers">{grouped(amount)}</span>,
            },
          ],
        }}
      >
        <OverTime
          kind="lines"
          points={ended}
          series={[{ name: 'share', label: t('Paid') }]}
          unit={(value) => `${String(value)} %`}
          max={100}
        />
      </ChartCard>
      <Failures failures={failures} />
      <ChartCard
        title={t('Time to pay')}
        says={t('From the partner’s request to the confirmed payment. p95 of the slowest period: {time}.', {
          time: duration(slowest),
        })}
        series={TIMES}
        table={{ rows: buckets, keyOf, columns: TIME_COLUMNS }}
      >
        <OverTime kind="lines" points={took} series={TIMES} unit={duration} />
      </ChartCard>
    </>
  );
}

const VOLUME = [
  { name: 'completed', label: t('paid') },
  { name: 'failed', label: t('failed attempts') },
  { name: 'unattempted', label: t('no attempt: expired or cancelled') },
] as const;
type Bucket = PaymentOverview['buckets'][number];
const VOLUME_COLUMNS = [
  { title: t('From'), cell: ({ at }: Bucket) => utc(at) },
  { title: t('Created'), align: 'right' as const, cell: ({ created }: Bucket) => String(created) },
  { title: t('Paid'), align: 'right' as const, cell: ({ completed }: Bucket) => String(completed) },
  { title: t('Failed'), align: 'right' as const, cell: ({ failed }: Bucket) => String(failed) },
  { title: t('Expired'), align: 'right' as const, cell: ({ expired }: Bucket) => String(expired) },
  { title: t('Cancelled'), align: 'right' as const, cell: ({ cancelled }: Bucket) => String(cancelled) },
  {
    title: t('Paid, RUB'),
    align: 'right' as const,
    cell: ({ amount }: Bucket) => <span className="numbers">{grouped(amount)}</span>,
  },
];

/** Why payments failed, the most frequent reason first. */
function Failures({ failures }: Pick<PaymentOverview, 'failures'>): ReactNode {
  return (
    <ChartCard
      title={t('Failures by reason')}
      says={
        failures.length === 0 ? t('No payment failed.') : t('Most frequent: {reason}.', { reason: words(failures[0]?.failureCode ?? '') })
      }
      table={{
        rows: failures,
        keyOf: ({ failureCode }) => failureCode,
        columns: [
          { title: t('Reason'), cell: ({ failureCode }) => words(failureCode) },
          { title: t('Payments'), align: 'right', cell: ({ count }) => String(count) },
        ],
      }}
    >
      <Bars
        rows={failures.map(({ failureCode, count }) => ({ at: words(failureCode), count }))}
        series={[{ name: 'count', label: t('Payments') }]}
        unit={String}
      />
    </ChartCard>
  );
}

/** How many payments were created, and what became of them. */
function Volume({ buckets, label }: { readonly buckets: readonly Bucket[]; readonly label: Label }): ReactNode {
  const volume = buckets.map(({ at, completed, failed, expired, cancelled }) => ({
    at: label(at),
    completed,
    failed: failed - expired - cancelled,
    unattempted: expired + cancelled,
  }));
  return (
    <ChartCard
      title={t('Volume')}
      says={t('Payments created: {count}.', { count: String(total(buckets, 'created')) })}
      series={VOLUME}
      table={{ rows: buckets, keyOf: ({ at }) => at, columns: VOLUME_COLUMNS }}
    >
      <OverTime kind="bars" points={volume} series={VOLUME} unit={String} />
    </ChartCard>
  );
}

const TIMES = [
  { name: 'medianMs', label: t('median') },
  { name: 'p95Ms', label: 'p95' },
] as const;
const timeOf = (ms: number | null) => (ms === null ? '–' : duration(ms));
const TIME_COLUMNS = [
  { title: t('From'), cell: ({ at }: Timed) => utc(at) },
  { title: t('Median'), align: 'right' as const, cell: ({ medianMs }: Timed) => timeOf(medianMs) },
  { title: 'p95', align: 'right' as const, cell: ({ p95Ms }: Timed) => timeOf(p95Ms) },
];

/** Callback delivery times over time. */
export function LagChart({ overview, label }: { readonly overview: DeliveryOverview; readonly label: Label }): ReactNode {
  const { buckets } = overview;
  const delivered = total(buckets, 'delivered');
  const points = buckets.map(({ at, medianMs, p95Ms }): Point => ({ at: label(at), medianMs, p95Ms }));
  return (
    <ChartCard
      title={t('Callback lag')}
      says={t('Time until the partner confirmed; {count} delivered.', { count: String(delivered) })}
      series={TIMES}
      table={{ rows: buckets, keyOf: ({ at }) => at, columns: TIME_COLUMNS }}
    >
      <OverTime kind="lines" points={points} series={TIMES} unit={duration} />
    </ChartCard>
  );
}
