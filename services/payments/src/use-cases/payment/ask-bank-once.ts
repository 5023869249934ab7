import { claimBankAsk, releaseBankAsk } from '../../db/checkout/bank-asks.ts';
import type { BankAsk } from '../../db/checkout/schema.ts';
import type { Deps } from '../../deps.ts';

/** Longer than the calls of one question may take in all; a process that dies in the middle holds others up that long. */
const ASKING_MS = 40_000;
/** After an answer: a page that is reloaded again and again, by whomever, has the bank asked once a second at most. */
export const HOLD_MS = 1_000;

/**
 * Has a bank asked about a payment, unless somebody is asking the same or did a second ago: in whichever process, the row
 * decides. False: it was not asked.
 */
export async function askBankOnce(
  deps: Deps,
  paymentId: string,
  kind: BankAsk,
  ask: () => Promise<void>,
): Promise<boolean> {
  const heldUntil = await deps.db.transaction((tx) => claimBankAsk(tx, paymentId, kind, ASKING_MS));
  if (heldUntil === undefined) return false;
  try {
    await ask();
  } finally {
    await deps.db.transaction((tx) => releaseBankAsk(tx, { paymentId, kind, heldUntil }, HOLD_MS));
  }
  return true;
}
