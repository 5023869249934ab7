import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export type Telemetry = {
  /** Sends what is waiting, and ends. Never throws: a collector that is away is no reason to stop badly. */
  stop(): Promise<void>;
};

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP), the standard variable. Without it
 * nothing is recorded and nothing is sent. There are no loader hooks: a span is made where `inSpan` stands.
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
