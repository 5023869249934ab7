import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { setClockOffset } from '../db/clock-offset.ts';
import { deleteOperations } from '../db/operations.ts';
import { deleteSavedCards } from '../db/saved-cards.ts';
import type { Deps } from '../deps.ts';

/** POST /control/reset: resets the bank to its initial state. */
export async function forgetEverything(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await deleteOperations(tx);
    await deleteSavedCards(tx);
    await setClockOffset(tx, 0);
  });
}
