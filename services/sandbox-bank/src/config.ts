import { z } from 'zod';
import { key32, port, secret, serviceConfig } from '@pay/shared/config/config.ts';

const bearerKey = z.string().regex(/^[\x21-\x7e]{16,128}$/, 'must be 16 to 128 visible ASCII characters');

/** The bank exists in TEST only: with any other ENVIRONMENT the process does not start. */
export const Config = z.object({
  ...serviceConfig,
  ENVIRONMENT: z.literal('TEST', 'the sandbox bank runs with ENVIRONMENT=TEST only'),
  /** The bank's origin as buyers see it, such as `http://127.0.0.1:8085`. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** Where the merchant is notified of results; without it there are no notifications. */
  NOTIFICATION_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Signs the notifications. */
  NOTIFICATION_KEY: secret(key32).optional(),
  /** The bearer key of the acquirer API. */
  API_KEY: secret(bearerKey),
  /** The previous key, during a key rotation. */
  API_KEY_PREVIOUS: secret(bearerKey).optional(),
  /** Port of the control API and the operations page only: buyers reach `PORT`, not this one. */
  CONTROL_PORT: port,
  /** The bearer key of the control API; it also opens the operations page. */
  CONTROL_KEY: secret(key32),
  /** The previous key, during a key rotation. */
  CONTROL_KEY_PREVIOUS: secret(key32).optional(),
});
