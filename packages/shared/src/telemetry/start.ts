import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export type Telemetry = {
  /** Sends pending spans, and ends. Never throws: an unavailable collector must not disturb a shutdown. */
  stop(): Promise<void>;
};

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP), the standard variable. Without it
 * nothing is recorded or sent. There are no loader hooks: spans are created only by `inSpan`.
 */
export function startTelemetry(service: string, env: NodeJS.ProcessEnv): Telemetry {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (endpoint === undefined || endpoint === '') return { stop: () => Promise.resolve() };
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown().catch(() => undefined) };
}
