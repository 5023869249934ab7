import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inKnownTransaction, inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Authorization, CardDetails } from '../../acquirers/acquirer.ts';
import { takeForCard, type CardEntry } from '../../db/checkout/card-entry.ts';
import { fenceOf, leaseOf } from '../../db/payment/leases.ts';
import { changePayment, lockPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { canEnterCard } from '../../domain/payment/card-entry.ts';
import { payerKeySha256 } from './payer.ts';
import { recordOutcome } from '../payment/record-outcome.ts';
import { bankReturnUrl } from '../payment/submit-payment.ts';

/**
 * accepted: the card went to the bank; `openCheckout` says what came of it. not-payable: this payment takes no card (any
 * more), one is on its way already, or its partner, point or route is suspended or closed. route-unavailable: nothing was sent, the buyer may try again.
 */
export type PayByCardOutcome = 'accepted' | 'not-payable' | 'route-unavailable';

export type PayByCard = Pick<Authorization, 'buyer' | 'prepared' | 'isMethodDone'> & {
  readonly card: CardDetails;
  /** What the browser shows as its own: it finds the saved card afterwards, and nobody else who has the payment's address. */
  readonly payerKey?: string | undefined;
};

/**
 * The buyer pressed "pay" on the checkout of a payment that was just read. The intent (`cardSentAt`) is committed before the bank is called, and one
 * of two clicks wins it; no transaction is open during the call. Whatever happens in between, the worker reads the
 * outcome back. The card's number and CVV live in memory only.
 */
export async function payByCard(
  deps: Deps,
  { payment: found, now, route, held }: CardEntry,
  { card, payerKey, ...known }: PayByCard,
): Promise<PayByCardOutcome> {
  if (!canEnterCard(found, now) || held !== undefined) return 'not-payable';
  const acquirer = deps.acquirerOf(route);
  if (acquirer?.isAvailable !== true) return 'route-unavailable';

  const payment = await intendCard(deps, found.paymentId, payerKey);
  if (payment === undefined) return 'not-payable';
  const lease = leaseOf(payment);
  const authorization = {
    operationId: payment.paymentId,
    card,
    saveCard: payment.consent === 'GIVEN',
    returnUrl: bankReturnUrl(deps, payment),
    // Never null: it was written with the intent.
    whenNotAuthenticated: payment.whenNotAuthenticated ?? 'DECLINE',
    ...known,
  };
  // A connector throws only where it could not ask the fence: then the card was not sent.
  const result = await acquirer.authorize(authorization, fenceOf(deps.db, lease)).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return { kind: 'fenced' } as const;
  });
  if (result.kind === 'not-sent' || result.kind === 'fenced') {
    await forgetIntent(deps, payment);
    return 'route-unavailable';
  }
  await recordOutcome(deps, payment.paymentId, result, lease).catch((error: unknown) => {
    // The bank has the card and the intent is committed: the worker reads the outcome back when the database answers.
    if (!isUnavailable(error)) throw error;
    deps.log.warn('the outcome of a card could not be booked yet', { paymentId: payment.paymentId, err: error });
  });
  return 'accepted';
}

/**
 * Commits that a card is about to be sent; a COMMIT whose answer was lost is asked about, because nobody else has the
 * card: an intent without one ends the payment a minute later, and with it a sale. Known too late, it is taken back: the
 * buyer was told to try again. Undefined when somebody else was first, or the payment takes none.
 */
async function intendCard(deps: Deps, paymentId: string, payerKey: string | undefined): Promise<Payment | undefined> {
  const keySha256 = payerKeySha256(payerKey);
  return inKnownTransaction(
    deps.db,
    (tx) => takeForCard(tx, paymentId, keySha256),
    async (intended) => {
      if (intended !== undefined) await forgetIntent(deps, intended);
    },
  );
}

/** The buyer waits for the answer meanwhile. */
const FORGOTTEN_WITHIN_MS = 1_500;
/** Tried for so long: then the worker looks what became of the card (`read-back.ts`), and finds that it was lost. */
const FORGOTTEN_LATE_MS = 50_000;

/**
 * Nothing left this process: unless another took over, the payment is as if the button had not been pressed. Where the
 * database takes longer than a buyer waits, that happens once it is back.
 */
async function forgetIntent(deps: Deps, intended: Payment): Promise<void> {
  const forgotten = repeatWhileUnavailable(FORGOTTEN_LATE_MS, () =>
    inTransaction(deps.db, async (tx) => {
      const payment = await lockPayment(tx, intended.paymentId);
      if (payment.status !== 'SUBMITTED' || payment.leaseNumber !== intended.leaseNumber) return;
      const { paymentId, expiresAt: nextReadAt } = payment;
      await changePayment(tx, paymentId, { cardSentAt: null, leaseUntil: null, nextReadAt });
    }),
  ).catch((err: unknown) => {
    deps.log.error('an intent to send a card could not be taken back', { paymentId: intended.paymentId, err });
  });
  await Promise.race([forgotten, wait(FORGOTTEN_WITHIN_MS, undefined, { ref: false })]);
}
