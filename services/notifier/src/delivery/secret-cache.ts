import { decrypt, type EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import { callbackKey, type CallbackKey } from '@pay/signing/callback-signature.ts';
import type { SigningKeyRow } from '../db/claim-statement.ts';
import { secretContext } from '../domain/callback-secret.ts';

const KEYS_MAX = 10_000;

/** Decrypted secrets in memory, by key id, so that they are not decrypted for every attempt. */
export class SecretCache {
  readonly #encryptionKeys: EncryptionKeys;
  readonly #known = new Map<string, CallbackKey>();

  constructor(encryptionKeys: EncryptionKeys) {
    this.#encryptionKeys = encryptionKeys;
  }

  /** @throws Error if a secret cannot be decrypted: its encryption key is not configured, or the row was altered. */
  keyOf(partnerId: string, { keyId, encryptedSecret }: SigningKeyRow): CallbackKey {
    const known = this.#known.get(keyId);
    if (known !== undefined) return known;
    const key = callbackKey(keyId, decrypt(this.#encryptionKeys, encryptedSecret, secretContext(partnerId, keyId)));
    if (this.#known.size >= KEYS_MAX) this.#known.clear();
    this.#known.set(keyId, key);
    return key;
  }
}
