import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { decrypt, encrypt, type EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import { lockKeysNotUnder, saveEncryptedSecret } from '../db/callback-keys.ts';
import { secretContext } from '../domain/callback-secret.ts';

const BATCH = 200;

/**
 * Re-encrypts every secret that is not under the current key; returns how many. Safe to repeat and to run beside the
 * service.
 */
export async function reencryptSecrets(db: Db, keys: EncryptionKeys): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const rows = await lockKeysNotUnder(tx, keys.current.id, BATCH);
      for (const { partnerId, keyId, encryptedSecret } of rows) {
        const context = secretContext(partnerId, keyId);
        await saveEncryptedSecret(tx, keyId, encrypt(keys, decrypt(keys, encryptedSecret, context), context));
      }
      return rows.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}
