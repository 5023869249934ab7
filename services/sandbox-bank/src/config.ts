import { z } from 'zod';
import { key32, port, secret, serviceConfig } from '@pay/shared/config/config.ts';

const bearerKey = z.string().regex(/^[\x21-\x7e]{16,128}$/, 'must be 16 to 128 visible ASCII characters');

/** The bank exists in TEST only: with any other ENVIRONMENT the process does not start. */
export const Config = z.object({
  ...serviceConfig,
  ENVIRONMENT: z.literal('TEST', 'the sandbox bank runs with ENVIRONMENT=TEST only'),
  /** The bank's origin as buyers see it, such as `http://127.0.0.1:8085`. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** Where the merchant is told how operations ended; without it nobody is. */
  NOTIFICATION_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Signs what is sent there. */
  NOTIFICATION_KEY: secret(key32).optional(),
  /** The bearer key of the acquirer API. */
  API_KEY: secret(bearerKey),
  /** The other one while it is changed. */
  API_KEY_PREVIOUS: secret(bearerKey).optional(),
  /** Alone serves the control API and the operations page: buyers reach `PORT`, and not this one. */
  CONTROL_PORT: port,
  /** The bearer key of the control API; opens the operations page, too. */
  CONTROL_KEY: secret(key32),
  /** The other one while it is changed. */
  CONTROL_KEY_PREVIOUS: secret(key32).optional(),
});
