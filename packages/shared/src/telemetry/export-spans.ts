import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { ConfigError } from '../config/config.ts';
import type { Telemetry } from './start.ts';
import { recordSpans } from './tracing.ts';

/** From now on spans are recorded and sent. @throws ConfigError as `startTelemetry` */
export function exportSpans(endpoint: string, service: string, env: NodeJS.ProcessEnv): Telemetry {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceInstanceIdDetector] });
  const ratio = ratioOf(env);
  const provider = new TracerProvider({
    resource: given.merge(resourceFromAttributes({ 'service.name': service })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  recordSpans(provider.getTracer('payment-integration-service'));
  return { stop: () => provider.shutdown().catch(() => undefined) };
}

/** As every variable, an empty one counts as absent: an empty part is not none. */
function ratioOf(env: NodeJS.ProcessEnv): number {
  const given = env['OTEL_TRACES_SAMPLER_ARG'] ?? '';
  const ratio = given === '' ? 1 : Number(given);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
}
