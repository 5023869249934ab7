import { createHmac, hkdfSync, randomUUIDv7 } from 'node:crypto';
import { encrypt } from '@pay/shared/encryption/encryption.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { countLetters, insertLetter } from '../../db/letter/letters.ts';
import type { Language } from '../../wording/language.ts';
import { findPoint } from '../../db/merchant/payment-points.ts';
import { findPaymentByCheckoutAt } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';

/** So that a mistyped address can be mended. A constraint of the table says the same. */
export const LETTERS_PER_PAYMENT_MAX = 3;
/** Within one day (UTC), over all shops: nobody fills another person's mailbox with us, even by paying for each letter. */
const LETTERS_PER_ADDRESS_MAX = 10;

export type AskForLetter = {
  readonly checkoutToken: string;
  /** As `readEmail` accepts it. */
  readonly address: string;
  readonly language: Language;
};

/** `not-offered`: the payment is not paid, or its point sends no letters. `too-many`: one of the two limits. */
export type AskForLetterOutcome = 'asked' | 'not-offered' | 'too-many';

/**
 * Queues the payment confirmation for this address. One letter for each payment, address and day: a second click asks for the same letter.
 * The numbers of the rows are the limits, so that simultaneous requests cannot pass them together.
 */
export async function askForLetter(
  deps: Deps,
  { checkoutToken, address, language }: AskForLetter,
): Promise<AskForLetterOutcome> {
  const found = await findPaymentByCheckoutAt(deps.db, checkoutToken);
  if (found?.payment.status !== 'COMPLETED') return 'not-offered';
  const { paymentId, paymentPointId } = found.payment;
  const point = await findPoint(deps.db, paymentPointId);
  if (point?.emailConfirmation !== true) return 'not-offered';
  const addressHash = hashOf(deps, address, found.now);
  const letterId = randomUUIDv7();
  const addressEncrypted = encrypt(deps.encryptionKeys, Buffer.from(address), addressContext(letterId));
  for (;;) {
    const { ofPayment, ofAddress, isKnown } = await countLetters(deps.db, { paymentId, addressHash });
    if (isKnown) return 'asked';
    if (ofPayment >= LETTERS_PER_PAYMENT_MAX || ofAddress >= LETTERS_PER_ADDRESS_MAX) return 'too-many';
    const letter = {
      letterId,
      paymentId,
      number: ofPayment + 1,
      addressEncrypted,
      addressHash,
      numberOfDay: ofAddress + 1,
      language,
    };
    // False: another letter took a number. The counts have grown then, so this ends.
    if (await inTransaction(deps.db, (tx) => insertLetter(tx, letter))) return 'asked';
  }
}

/** Binds an address to its letter: copied to another row, it cannot be decrypted. */
export const addressContext = (letterId: string): string => `letter:${letterId}`;

/** Of one address on one day. The key is never in the database, so its rows reveal nothing. */
function hashOf({ encryptionKeys }: Deps, address: string, now: Date): string {
  const day = now.toISOString().slice(0, DAY_CHARACTERS);
  const key = Buffer.from(hkdfSync('sha256', encryptionKeys.current.key, Buffer.alloc(0), `letters ${day}`, 32));
  return createHmac('sha256', key).update(address.toLowerCase()).digest('base64url');
}

/** `2026-11-24`. */
const DAY_CHARACTERS = 10;
