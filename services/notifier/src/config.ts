import { identityPublicKeys } from '@pay/shared/keys/identity-keys.ts';
import { factVerificationKeys } from '@pay/shared/broker/fact-keys.ts';
import { z } from 'zod';
import { amqpUrl, commandConfig, flag, key32, ownHosts, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { encryptionConfig } from '@pay/shared/encryption/encryption-config.ts';

/** The notifier's configuration. CALLBACK_ALLOW_PRIVATE=true allows callbacks to this machine: TEST only. */
export const Config = z
  .object({
    ...serviceConfig,
    ...encryptionConfig,
    AMQP_URL: amqpUrl,
    /** For each producer, the key that verifies its facts. */
    FACT_VERIFICATION_KEYS: factVerificationKeys,
    /** The services whose facts this one consumes; lost ones are read there. */
    PAYMENTS_URL: replicaUrls,
    BINDINGS_URL: replicaUrls,
    WITHDRAWALS_URL: replicaUrls,
    /** Verifies the gateway's internal tokens. */
    INTERNAL_TOKEN_KEY: secret(key32),
    /** Still opens tokens during a key rotation. */
    INTERNAL_TOKEN_KEY_PREVIOUS: secret(key32).optional(),
    /** The console's public keys: it vouches for its operators. */
    OPERATOR_IDENTITY_PUBLIC_KEYS: identityPublicKeys,
    CALLBACK_ALLOW_PRIVATE: flag.default(false),
    OWN_HOSTS: ownHosts,
  })
  .refine((config) => !(config.ENVIRONMENT === 'LIVE' && config.CALLBACK_ALLOW_PRIVATE), {
    path: ['CALLBACK_ALLOW_PRIVATE'],
    message: 'must not be true with ENVIRONMENT=LIVE',
  });
export type Config = z.output<typeof Config>;

/** The configuration of the re-encryption command. */
export const ReencryptConfig = z.object({ ...encryptionConfig, ...commandConfig });
