import { z } from 'zod';
import { amqpUrl, flag, key32, ownHosts, secret, serviceConfig } from '@pay/shared/config/config.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';

/** How secrets are encrypted at rest. */
const encryption = {
  ENCRYPTION_KEY: secret(key32),
  ENCRYPTION_KEY_ID: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/),
  /** `id:base64` of keys that only decrypt, comma separated: during a change of ENCRYPTION_KEY. */
  ENCRYPTION_KEYS_PREVIOUS: secret(z.string().default('').transform(readPreviousKeys)),
};

/** What the notifier is configured with. CALLBACK_ALLOW_PRIVATE=true lets callbacks go to this machine: TEST only. */
export const Config = z
  .object({
    ...serviceConfig,
    ...encryption,
    AMQP_URL: amqpUrl,
    /** Verifies the gateway's internal tokens. */
    INTERNAL_TOKEN_KEY: secret(key32),
    /** Verifies the operators' internal tokens. */
    OPERATOR_TOKEN_KEY: secret(key32),
    CALLBACK_ALLOW_PRIVATE: flag.default(false),
    OWN_HOSTS: ownHosts,
  })
  .refine((config) => !(config.ENVIRONMENT === 'LIVE' && config.CALLBACK_ALLOW_PRIVATE), {
    path: ['CALLBACK_ALLOW_PRIVATE'],
    message: 'must not be true with ENVIRONMENT=LIVE',
  });
export type Config = z.output<typeof Config>;

/** What the re-encryption command needs. */
export const ReencryptConfig = z.object({ ...encryption, DATABASE_URL: serviceConfig.DATABASE_URL });

/** The keys as the encryption takes them. */
export function encryptionKeysOf(config: z.output<typeof ReencryptConfig>): EncryptionKeys {
  return {
    current: { id: config.ENCRYPTION_KEY_ID, key: config.ENCRYPTION_KEY },
    previous: config.ENCRYPTION_KEYS_PREVIOUS,
  };
}

function readPreviousKeys(text: string, ctx: z.RefinementCtx): ReadonlyMap<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',').filter((part) => part !== '')) {
    const [id = '', value = ''] = entry.split(':');
    const key = key32.safeParse(value);
    if (id === '' || !key.success)
      ctx.addIssue({ code: 'custom', message: 'must be id:base64 of 32 bytes, comma separated' });
    else keys.set(id, key.data);
  }
  return keys;
}
