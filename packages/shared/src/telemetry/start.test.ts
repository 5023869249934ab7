import { expect, it } from '@jest/globals';
import { ConfigError } from '../config/config.ts';
import { startTelemetry } from './start.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';

it.each(['some', '1.5', '-0.1', 'NaN'])('the part of the traces that is kept is not %j', async (given) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: given };
  await expect(startTelemetry('test', env)).rejects.toThrow(ConfigError);
});
