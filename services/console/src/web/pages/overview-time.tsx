import type { ReactNode } from 'react';
import type { DeliveryOverview, PaymentOverview } from '@pay/contract/operator/overview.ts';
import { duration, percent, share, total, utc, words } from '../format.ts';
import { ChartCard } from '../parts/chart.tsx';
import { Bars, OverTime, type Point } from '../parts/drawing.tsx';
import type { Timed } from '../types.ts';

type Label = (at: string) => string;

/** Payment outcomes over time. */
export function PaymentCharts({
  overview,
  label,
}: {
  readonly overview: PaymentOverview;
  readonly label: Label;
}): ReactNode {
  const { buckets, failures } = overview;
  const keyOf = ({ at }: { at: string }) => at;
  const ended = buckets.map(({ at, completed, failed }) => ({
    at: label(at),
    share: completed + failed === 0 ? null : percent(completed, completed + failed),
  }));
  const took = buckets.map(({ at, medianMs, p95Ms }) => ({ at: label(at), medianMs, p95Ms }));
  const [completed, failed] = [total(buckets, 'completed'), total(buckets, 'failed')];
  const slowest = Math.max(0, ...buckets.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <>
      <ChartCard
        title="Success share"
        says={`${share(completed, completed + failed)} of finished payments were paid.`}
        table={{
          rows: buckets,
          keyOf,
          columns: [
            { title: 'From', cell: ({ at }) => utc(at) },
            { title: 'Created', align: 'right', cell: (bucket) => String(bucket.created) },
            { title: 'Paid', align: 'right', cell: (bucket) => String(bucket.completed) },
            { title: 'Failed', align: 'right', cell: (bucket) => String(bucket.failed) },
            { title: 'Paid, RUB', align: 'right', cell: ({ amount }) => <span className="numbers">{amount}</span> },
          ],
        }}
      >
        <OverTime
          kind="lines"
          points={ended}
          series={[{ name: 'share', label: 'Paid' }]}
          unit={(value) => `${String(value)} %`}
          max={100}
        />
      </ChartCard>
      <ChartCard
        title="Failures by reason"
        says={failures.length === 0 ? 'No payment failed.' : `Most frequent: ${words(failures[0]?.failureCode ?? '')}.`}
        table={{
          rows: failures,
          keyOf: ({ failureCode }) => failureCode,
          columns: [
            { title: 'Reason', cell: ({ failureCode }) => words(failureCode) },
            { title: 'Payments', align: 'right', cell: ({ count }) => String(count) },
          ],
        }}
      >
        <Bars
          rows={failures.map(({ failureCode, count }) => ({ at: words(failureCode), count }))}
          series={[{ name: 'count', label: 'Payments' }]}
          unit={String}
        />
      </ChartCard>
      <ChartCard
        title="Time to pay"
        says={`From the partner’s request to the confirmed payment. Slowest period: 95 % within ${duration(slowest)}.`}
        series={TIMES}
        table={{ rows: buckets, keyOf, columns: TIME_COLUMNS }}
      >
        <OverTime kind="lines" points={took} series={TIMES} unit={duration} />
      </ChartCard>
    </>
  );
}

const TIMES = [
  { name: 'medianMs', label: 'median' },
  { name: 'p95Ms', label: '95 % within' },
] as const;
const timeOf = (ms: number | null) => (ms === null ? '–' : duration(ms));
const TIME_COLUMNS = [
  { title: 'From', cell: ({ at }: Timed) => utc(at) },
  { title: 'Median', align: 'right' as const, cell: ({ medianMs }: Timed) => timeOf(medianMs) },
  { title: '95 % within', align: 'right' as const, cell: ({ p95Ms }: Timed) => timeOf(p95Ms) },
];

/** Callback delivery times over time. */
export function LagChart({
  overview,
  label,
}: {
  readonly overview: DeliveryOverview;
  readonly label: Label;
}): ReactNode {
  const { buckets } = overview;
  const delivered = total(buckets, 'delivered');
  const points = buckets.map(({ at, medianMs, p95Ms }): Point => ({ at: label(at), medianMs, p95Ms }));
  return (
    <ChartCard
      title="Callback lag"
      says={`From recording to the receiver’s confirmation; ${String(delivered)} delivered.`}
      series={TIMES}
      table={{ rows: buckets, keyOf: ({ at }) => at, columns: TIME_COLUMNS }}
    >
      <OverTime kind="lines" points={points} series={TIMES} unit={duration} />
    </ChartCard>
  );
}
