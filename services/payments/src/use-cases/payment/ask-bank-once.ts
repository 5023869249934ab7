import { claimBankAsk, releaseBankAsk } from '../../db/checkout/bank-asks.ts';
import type { BankAsk } from '../../db/checkout/schema.ts';
import type { Deps } from '../../deps.ts';

/** Longer than all calls of one question may take. If a process dies while asking, others wait this long. */
const ASKING_MS = 40_000;
/** Pause after an answer: however often a page is reloaded, the bank is asked at most once a second. */
export const HOLD_MS = 1_000;

/**
 * Asks a bank about a payment, unless somebody is asking the same or did within the last second. A row decides, across
 * processes. False: the bank was not asked.
 */
export async function askBankOnce(deps: Deps, paymentId: string, kind: BankAsk, ask: () => Promise<void>): Promise<boolean> {
  const heldUntil = await deps.db.transaction((tx) => claimBankAsk(tx, paymentId, kind, ASKING_MS));
  if (heldUntil === undefined) return false;
  try {
    await ask();
  } finally {
    await deps.db.transaction((tx) => releaseBankAsk(tx, { paymentId, kind, heldUntil }, HOLD_MS));
  }
  return true;
}
