import { identityPublicKeys } from '@pay/shared/keys/identity-keys.ts';
import { factVerificationKeys } from '@pay/shared/broker/fact-keys.ts';
import { z } from 'zod';
import {
  amqpUrl,
  commandConfig,
  flag,
  key32,
  ownHosts,
  replicaUrls,
  secret,
  serviceConfig,
} from '@pay/shared/config/config.ts';
import { encryptionConfig } from '@pay/shared/encryption/encryption-config.ts';

/** What the notifier is configured with. CALLBACK_ALLOW_PRIVATE=true lets callbacks go to this machine: TEST only. */
export const Config = z
  .object({
    ...serviceConfig,
    ...encryptionConfig,
    AMQP_URL: amqpUrl,
    /** Of each producer, what its facts are believed by. */
    FACT_VERIFICATION_KEYS: factVerificationKeys,
    /** Whose facts it hears: asked for those that never came. */
    PAYMENTS_URL: replicaUrls,
    BINDINGS_URL: replicaUrls,
    WITHDRAWALS_URL: replicaUrls,
    /** Verifies the gateway's internal tokens. */
    INTERNAL_TOKEN_KEY: secret(key32),
    /** Still opens tokens while the key is being changed. */
    INTERNAL_TOKEN_KEY_PREVIOUS: secret(key32).optional(),
    /** The console's, which sign for its operators. */
    OPERATOR_IDENTITY_PUBLIC_KEYS: identityPublicKeys,
    CALLBACK_ALLOW_PRIVATE: flag.default(false),
    OWN_HOSTS: ownHosts,
  })
  .refine((config) => !(config.ENVIRONMENT === 'LIVE' && config.CALLBACK_ALLOW_PRIVATE), {
    path: ['CALLBACK_ALLOW_PRIVATE'],
    message: 'must not be true with ENVIRONMENT=LIVE',
  });
export type Config = z.output<typeof Config>;

/** What the re-encryption command needs. */
export const ReencryptConfig = z.object({ ...encryptionConfig, ...commandConfig });
