import { z } from 'zod';
import { secret, serviceConfig } from '@pay/shared/config/config.ts';

/** The bank exists in TEST only: with any other ENVIRONMENT the process does not start. */
export const Config = z.object({
  ...serviceConfig,
  ENVIRONMENT: z.literal('TEST', 'the sandbox bank runs with ENVIRONMENT=TEST only'),
  /** The bank's origin as buyers see it, such as `http://127.0.0.1:8085`. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** The bearer key of the acquirer API. */
  API_KEY: secret(z.string().regex(/^[\x21-\x7e]{16,128}$/, 'must be 16 to 128 visible ASCII characters')),
});
