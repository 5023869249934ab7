import { context, propagation, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';

const tracer = trace.getTracer('payment-integration-service');

/** The W3C traceparent of the span that is going on; undefined where no telemetry is configured. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

type Span = {
  readonly name: string;
  readonly attributes?: Attributes;
  /** Where the work comes from: a request's header, an outbox row, a message. */
  readonly traceparent?: string | undefined;
};

/** Runs `work` inside a span. Measured at the borders (HTTP, broker, bank, callback), never inside the story. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const parent =
    span.traceparent === undefined
      ? context.active()
      : propagation.extract(context.active(), { traceparent: span.traceparent });
  return tracer.startActiveSpan(span.name, { attributes: span.attributes ?? {} }, parent, async (active) => {
    try {
      return await work();
    } catch (error) {
      active.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      active.end();
    }
  });
}
