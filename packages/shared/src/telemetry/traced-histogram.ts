import { Histogram, type HistogramConfiguration, type LabelValues } from 'prom-client';
import { tracesEndpoint } from './tracing.ts';

type Options<L extends string> = Omit<HistogramConfiguration<L>, 'labelNames' | 'collect' | 'enableExemplars'> & {
  readonly labelNames: readonly L[];
};

/** A histogram whose buckets name a trace that fell into them: an exemplar. Without tracing, an ordinary one. */
export type TracedHistogram<L extends string> = {
  /** `traceId`: of the call that took this long, if it was recorded. */
  readonly observe: (labels: LabelValues<L>, seconds: number, traceId: string | undefined) => void;
};

/** Whether this process records traces, and so serves its metrics in the format that has exemplars. */
export const HAS_EXEMPLARS = tracesEndpoint(process.env) !== undefined;

export function tracedHistogram<L extends string>({ labelNames, ...rest }: Options<L>): TracedHistogram<L> {
  const histogram = new Histogram<string>({ ...rest, labelNames: [...labelNames], enableExemplars: HAS_EXEMPLARS });
  if (!HAS_EXEMPLARS) {
    return {
      observe: (labels, seconds) => {
        histogram.observe(labels, seconds);
      },
    };
  }
  return {
    observe: (labels, value, traceId) => {
      histogram.observe({ labels, value, ...(traceId === undefined ? {} : { exemplarLabels: { trace_id: traceId } }) });
    },
  };
}
