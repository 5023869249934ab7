import { tracesEndpoint } from './tracing.ts';

export type Telemetry = {
  /** Sends pending spans, and ends. Never throws: an unavailable collector must not disturb a shutdown. */
  stop(): Promise<void>;
};

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP), the standard variable. Without it nothing is recorded
 * or sent. Of the other standard variables it reads OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS and
 * OTEL_TRACES_SAMPLER_ARG, the part of all traces that is kept (1). There are no loader hooks: spans are created only
 * in `tracing.ts`. See decisions/monitoring.
 * @throws ConfigError for a part that is not between 0 and 1
 */
export async function startTelemetry(service: string, env: NodeJS.ProcessEnv): Promise<Telemetry> {
  const endpoint = tracesEndpoint(env);
  if (endpoint === undefined) return { stop: () => Promise.resolve() };
  // Loaded here: a service without a collector needs none of the SDK.
  const { exportSpans } = await import('./export-spans.ts');
  return exportSpans(endpoint, service, env);
}
