import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM with the id of the key beside the ciphertext, so that keys can be rotated row by row.
 * Form: `v1.<keyId>.<iv>.<tag>.<ciphertext>`, base64url. The context (for example `card-token:<payment id>`) is
 * authenticated: a ciphertext that was moved to another row cannot be decrypted.
 */
export type EncryptionKeys = {
  /** Encrypts. */
  readonly current: { readonly id: string; readonly key: Buffer };
  /** Only decrypt. */
  readonly previous: ReadonlyMap<string, Buffer>;
};

/** Full length: by default Node accepts shorter tags, which are easier to forge. */
const TAG = { authTagLength: 16 } as const;
/** The id is delimited by points in the encrypted form. */
const KEY_ID = /^[\w-]{1,64}$/;

/** The usual case: one key. */
export function singleKey(id: string, key: Buffer): EncryptionKeys {
  return { current: { id, key }, previous: new Map() };
}

/** Encrypts `plain` for one `context`. */
export function encrypt(keys: EncryptionKeys, plain: Buffer, context: string): string {
  if (!KEY_ID.test(keys.current.id)) throw new Error('an encryption key id is letters, digits, _ and -');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keys.current.key, iv, TAG).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return ['v1', keys.current.id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
}

/** @throws Error if the key is unknown, or the text or its context was altered */
export function decrypt(keys: EncryptionKeys, encrypted: string, context: string): Buffer {
  const [version, keyId, iv, tag, text] = encrypted.split('.');
  if (version !== 'v1' || keyId === undefined || iv === undefined || tag === undefined || text === undefined) {
    throw new Error('not an encrypted value');
  }
  const key = keyId === keys.current.id ? keys.current.key : keys.previous.get(keyId);
  if (key === undefined) throw new Error(`encryption key ${keyId} is not configured`);
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), TAG)
    .setAAD(Buffer.from(context))
    .setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]);
}
