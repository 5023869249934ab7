import { amqpUrl, key32, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { z } from 'zod';

/** What this service is configured with. Every key is 32 bytes in base64. */
export const Config = z.object({
  ...serviceConfig,
  AMQP_URL: amqpUrl,
  /** Opens the tokens that callers of this service bring. */
  INTERNAL_TOKEN_KEY: secret(key32),
  /** Opens the tokens that operators' tools bring. */
  OPERATOR_TOKEN_KEY: secret(key32),
  PAYMENTS_URL: replicaUrls,
  /** Makes the tokens for payments. */
  PAYMENTS_INTERNAL_TOKEN_KEY: secret(key32),
});
