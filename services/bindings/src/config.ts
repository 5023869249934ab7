import { factSigningKeys, factVerificationKeys } from '@pay/shared/broker/fact-keys.ts';
import { amqpUrl, key32, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { identityPublicKeys } from '@pay/shared/keys/identity-keys.ts';
import { z } from 'zod';
import { retryLimitsText } from './retry-limits.ts';

/** What this service is configured with. Every key is 32 bytes in base64. */
export const Config = z.object({
  ...serviceConfig,
  AMQP_URL: amqpUrl,
  /** For each consumer, what its copies are signed with. */
  FACT_SIGNING_KEYS: factSigningKeys,
  /** Of each producer, what its facts are believed by. */
  FACT_VERIFICATION_KEYS: factVerificationKeys,
  /** Opens the tokens that callers of this service bring. */
  INTERNAL_TOKEN_KEY: secret(key32),
  /** Still opens tokens while the key is being changed. */
  INTERNAL_TOKEN_KEY_PREVIOUS: secret(key32).optional(),
  /** The console's, which sign for its operators. */
  OPERATOR_IDENTITY_PUBLIC_KEYS: identityPublicKeys,
  /** How often a declined charge may be tried again within so many hours, by the card's scheme (ADR 0131). */
  CHARGE_RETRY_LIMITS: retryLimitsText,
  PAYMENTS_URL: replicaUrls,
  /** Makes the tokens for payments. */
  PAYMENTS_INTERNAL_TOKEN_KEY: secret(key32),
});
