import { key32, secret, serviceConfig, serviceUrl } from '@pay/shared/config/config.ts';
import { z } from 'zod';

/** What the console is configured with: where the operator APIs are, and the key that opens them (32 bytes, base64). */
export const Config = z.object({
  ...serviceConfig,
  /** Makes the tokens for the operator APIs below. */
  OPERATOR_TOKEN_KEY: secret(key32),
  GATEWAY_OPERATOR_URL: serviceUrl,
  PAYMENTS_OPERATOR_URL: serviceUrl,
  BINDINGS_OPERATOR_URL: serviceUrl,
  WITHDRAWALS_OPERATOR_URL: serviceUrl,
  NOTIFIER_OPERATOR_URL: serviceUrl,
});
