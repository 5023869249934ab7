import { z } from 'zod';
import { key32, secret } from '../config/config.ts';
import type { EncryptionKeys } from './encryption.ts';

/** The keys that a service encrypts stored data with. */
export const encryptionConfig = {
  /** Encrypts. */
  ENCRYPTION_KEY: secret(key32),
  /** Stored with each ciphertext, so that keys can be rotated row by row. */
  ENCRYPTION_KEY_ID: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 letters, digits, _ or -'),
  /** `id:base64` of decrypt-only keys, comma-separated: during a rotation of ENCRYPTION_KEY. */
  ENCRYPTION_KEYS_PREVIOUS: secret(z.string().default('').transform(readPreviousKeys)),
} as const;

type Configured = {
  readonly ENCRYPTION_KEY: Buffer;
  readonly ENCRYPTION_KEY_ID: string;
  readonly ENCRYPTION_KEYS_PREVIOUS: ReadonlyMap<string, Buffer>;
};

/** The keys in the form that `encrypt` and `decrypt` take. */
export function encryptionKeysOf(config: Configured): EncryptionKeys {
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
    if (id === '' || !key.success) ctx.addIssue({ code: 'custom', message: 'must be id:base64 of 32 bytes, comma separated' });
    else keys.set(id, key.data);
  }
  return keys;
}
