import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';

/** The W3C traceparent of the current span; undefined if telemetry is not configured. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** The headers that carry the trace to another of our services; none where no telemetry is configured. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

type Span = {
  /** A verb and a bounded name: `POST /api/card`, `publish payment.completed`. Never an id. */
  readonly name: string;
  readonly kind?: keyof typeof KINDS;
  readonly attributes?: Attributes;
  /** Where the work comes from: a request's header, an outbox row, a message. */
  readonly traceparent?: string | undefined;
};

/** The span that is going on, for what is known only later: the route of a request, the status of an answer. */
export type RunningSpan = { readonly describe: (name: string, attributes: Attributes) => void };

/** Runs `work` inside a span. Measured at the borders (HTTP, broker, bank, callback), never inside the story. */
export async function inSpan<T>(span: Span, work: (span: RunningSpan) => Promise<T>): Promise<T> {
  const parent =
    span.traceparent === undefined
      ? context.active()
      : propagation.extract(context.active(), { traceparent: span.traceparent });
  const options = { attributes: span.attributes ?? {}, ...(span.kind === undefined ? {} : { kind: KINDS[span.kind] }) };
  const tracer = trace.getTracer('payment-integration-service');
  return tracer.startActiveSpan(span.name, options, parent, async (active) => {
    try {
      return await work({ describe: (name, attributes) => active.updateName(name).setAttributes(attributes) });
    } catch (error) {
      active.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      active.end();
    }
  });
}
