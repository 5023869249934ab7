import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Tracer,
} from '@opentelemetry/api';

/** Where spans are sent, the standard variable; undefined: nothing is recorded. */
export function tracesEndpoint(env: NodeJS.ProcessEnv): string | undefined {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return endpoint === undefined || endpoint === '' ? undefined : endpoint.replace(/\/+$/, '');
}

/** Undefined where nothing is recorded: then every function here costs one comparison. */
let tracer: Tracer | undefined;

/** Records spans with `given` from now on. `startTelemetry` calls it. */
export function recordSpans(given: Tracer): void {
  tracer = given;
}

/** The W3C traceparent of the current span; undefined if telemetry is not configured. */
export function currentTraceparent(): string | undefined {
  if (tracer === undefined) return undefined;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** The id of the current trace, if it is recorded. */
export function currentTraceId(): string | undefined {
  if (tracer === undefined) return undefined;
  const active = trace.getActiveSpan();
  return active?.isRecording() === true ? active.spanContext().traceId : undefined;
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

/**
 * `name`: a verb and a bounded name: `POST /api/card`, `publish payment.completed`. Never an id. Attributes contain no card data, no
 * secret, and no address with a path or query.
 */
type Span = { readonly name: string; readonly kind: keyof typeof KINDS; readonly attributes?: Attributes };

/** Where the work of a span comes from. */
type Origin = {
  /**
   * Of a request's header, an outbox row, a message or an event. Null: a new trace begins. Without it the span that is going on is
   * continued.
   */
  readonly traceparent?: string | null | undefined;
};

/** The span that is going on. */
export type RunningSpan = {
  /**
   * For what is known only later: the route of a request, the status of an answer. A status of 500 or more, or an `error.type`, marks it as
   * failed.
   */
  readonly describe: (name: string, attributes: Attributes) => void;
  /** Of a trace that is recorded. */
  readonly traceId: string | undefined;
};

const NOT_RECORDED: RunningSpan = { describe: () => undefined, traceId: undefined };

/** Runs `work` inside a span. Measured at the borders (HTTP, broker, bank, database, callback), never inside the story. */
export function inSpan<T>({ traceparent, ...span }: Span & Origin, work: (span: RunningSpan) => Promise<T>): Promise<T> {
  if (tracer === undefined) return work(NOT_RECORDED);
  const parent = traceparent === undefined ? context.active() : contextOf(traceparent);
  return record(tracer, span, { parent }, work);
}

/**
 * Runs a call to a bank or the database inside a span if it is part of a trace. A loop that asks and finds nothing leaves no
 * traces.
 */
export function inCallSpan<T>(span: Span, work: (span: RunningSpan) => Promise<T>): Promise<T> {
  if (tracer === undefined || trace.getActiveSpan() === undefined) return work(NOT_RECORDED);
  return record(tracer, span, { parent: context.active() }, work);
}

/**
 * Runs what happens later to something that an earlier call created, as a part of that call's trace: of whatever asked for it now
 * (a buyer's request, a bank's notification) there is a link. Without a traceparent it stays in the current trace.
 */
export function inTraceOf<T>(name: string, traceparent: string | null, work: () => Promise<T>): Promise<T> {
  if (tracer === undefined || traceparent === null) return work();
  const parent = contextOf(traceparent);
  const asked = trace.getSpanContext(context.active());
  // A call that continues what it has just created goes on in its own span.
  if (asked !== undefined && asked.traceId === trace.getSpanContext(parent)?.traceId) return work();
  const links = asked === undefined ? [] : [{ context: asked }];
  return record(tracer, { name }, { parent, links }, work);
}

const isFailure = (described: Attributes): boolean =>
  Number(described['http.response.status_code'] ?? 0) >= 500 || described['error.type'] !== undefined;

const contextOf = (traceparent: string | null): Context =>
  traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

function record<T>(
  by: Tracer,
  { name, kind, attributes = {} }: Omit<Span, 'kind'> & Partial<Span>,
  { parent, links = [] }: { readonly parent: Context; readonly links?: Link[] },
  work: (span: RunningSpan) => Promise<T>,
): Promise<T> {
  const options = { attributes, links, ...(kind === undefined ? {} : { kind: KINDS[kind] }) };
  return by.startActiveSpan(name, options, parent, async (active) => {
    const running: RunningSpan = {
      describe: (given, described) => {
        active.updateName(given).setAttributes(described);
        if (isFailure(described)) active.setStatus({ code: SpanStatusCode.ERROR });
      },
      traceId: active.isRecording() ? active.spanContext().traceId : undefined,
    };
    try {
      return await work(running);
    } catch (error) {
      active.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      active.end();
    }
  });
}
