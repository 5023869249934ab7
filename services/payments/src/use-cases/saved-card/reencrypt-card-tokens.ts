import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { decrypt, encrypt, type EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import { lockCardsNotUnder, saveCardToken } from '../../db/saved-card/saved-cards.ts';
import { cardTokenContext } from './save-card.ts';

const BATCH = 200;

/** Re-encrypts every card token that does not use the current key. Returns how many. Safe to repeat, and to run beside the service. */
export async function reencryptCardTokens(db: Db, keys: EncryptionKeys): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const cards = await lockCardsNotUnder(tx, keys.current.id, BATCH);
      for (const { bindingId, cardTokenEncrypted } of cards) {
        const context = cardTokenContext(bindingId);
        await saveCardToken(tx, bindingId, encrypt(keys, decrypt(keys, cardTokenEncrypted, context), context));
      }
      return cards.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}
