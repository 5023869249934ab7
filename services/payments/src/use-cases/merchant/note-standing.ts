import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { hurryCharges, saveStanding, type Standing } from '../../db/payment/standings.ts';
import type { Deps } from '../../deps.ts';

/**
 * POST /internal/partner-standing: the gateway suspended or resumed a partner. While a partner is suspended, their checkouts take
 * no card and their charges wait; what the bank already has is completed. Safe to repeat, and in any order. See
 * decisions/suspension.
 */
export async function noteStanding(deps: Deps, standing: Standing): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if ((await saveStanding(tx, standing)) && standing.status === 'ACTIVE') await hurryCharges(tx, standing.partnerId);
  });
}
