import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { lockSecondFactors, saveSecondFactor } from '../db/second-factors.ts';
import { secretConfigOf, type AuthSecrets } from '../sign-in/secrets.ts';

/**
 * Re-encrypts every second factor with the current secret; returns how many. Safe to repeat and to run beside the
 * console. One transaction is enough: there are only as many as members of staff.
 */
export async function reencryptSecondFactors(db: Db, secrets: AuthSecrets): Promise<number> {
  const key = secretConfigOf(secrets);
  const anew = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  return inTransaction(db, async (tx) => {
    const factors = await lockSecondFactors(tx);
    for (const { id, secret, backupCodes } of factors)
      await saveSecondFactor(tx, id, { secret: await anew(secret), backupCodes: await anew(backupCodes) });
    return factors.length;
  });
}
