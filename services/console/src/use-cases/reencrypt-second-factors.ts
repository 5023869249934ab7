import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { lockSecondFactors, saveSecondFactor } from '../db/second-factors.ts';
import { secretConfigOf, type AuthSecrets } from '../sign-in/secrets.ts';

/**
 * Encrypts every second factor anew with the current secret; how many. Safe to repeat and to run beside the console. In one
 * transaction: there are as many as there are people in staff.
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
