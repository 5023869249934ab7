import { factSigningKeys, factVerificationKeys } from '@pay/shared/broker/fact-keys.ts';
import { amqpUrl, key32, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { identityPublicKeys } from '@pay/shared/keys/identity-keys.ts';
import { z } from 'zod';
import { retryLimitsText } from './retry-limits.ts';

/** This service's configuration. Every key is 32 bytes in base64. */
export const Config = z.object({
  ...serviceConfig,
  AMQP_URL: amqpUrl,
  /** For each consumer, the key that signs its copies. */
  FACT_SIGNING_KEYS: factSigningKeys,
  /** For each producer, the key that verifies its facts. */
  FACT_VERIFICATION_KEYS: factVerificationKeys,
  /** Opens the tokens that this service's callers present. */
  INTERNAL_TOKEN_KEY: secret(key32),
  /** Still opens tokens during a key rotation. */
  INTERNAL_TOKEN_KEY_PREVIOUS: secret(key32).optional(),
  /** The console's public keys: it vouches for its operators. */
  OPERATOR_IDENTITY_PUBLIC_KEYS: identityPublicKeys,
  /** How many declined charges are allowed within how many hours, per card scheme (decisions/recurring-charges). */
  CHARGE_RETRY_LIMITS: retryLimitsText,
  PAYMENTS_URL: replicaUrls,
  /** Creates the tokens for payments. */
  PAYMENTS_INTERNAL_TOKEN_KEY: secret(key32),
});
