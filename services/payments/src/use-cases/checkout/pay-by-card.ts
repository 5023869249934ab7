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
 * accepted: the card went to the bank; `openCheckout` returns the result. not-payable: this payment takes no card, or no
 * longer; one was sent already; or its partner, point or route is suspended or closed. route-unavailable: nothing was sent, and the buyer may try again.
 */
export type PayByCardOutcome = 'accepted' | 'not-payable' | 'route-unavailable';

export type PayByCard = Pick<Authorization, 'buyer' | 'prepared' | 'isMethodDone'> & {
  readonly card: CardDetails;
  /** From the browser's payer cookie: only this browser is shown the saved card afterwards, not everybody who has the payment's address. */
  readonly payerKey?: string | undefined;
};

/**
 * The buyer pressed "pay" at the checkout of a payment that was just read. The intent (`cardSentAt`) is committed before the
 * bank is called, and only one of two clicks wins it; no transaction is open during the call. If anything goes wrong after that,
 * the worker reads the outcome back. The card's number and CVV live in memory only.
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
  // A connector throws only if it could not check the fence: then the card was not sent.
  const result = await acquirer.authorize(authorization, fenceOf(deps.db, lease)).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return { kind: 'fenced' } as const;
  });
  if (result.kind === 'not-sent' || result.kind === 'fenced') {
    await forgetIntent(deps, payment);
    return 'route-unavailable';
  }
  await recordOutcome(deps, payment.paymentId, result, lease).catch((error: unknown) => {
    // The bank has the card and the intent is committed: the worker reads the outcome back once the database answers.
    if (!isUnavailable(error)) throw error;
    deps.log.warn('the outcome of a card payment could not be booked yet', {
      paymentId: payment.paymentId,
      err: error,
    });
  });
  return 'accepted';
}

/**
 * Commits the intent to send a card. If the answer to the COMMIT is lost, the result is looked up, because nobody else has the
 * card: an intent without a card would end the payment a minute later, and lose the sale. If the result is known too late, the
 * intent is reverted: the buyer was told to try again. Undefined if somebody else was first, or the payment takes no card.
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

/** The buyer is waiting for the answer. */
const FORGOTTEN_WITHIN_MS = 1_500;
/** How long reverting is retried. After that the worker reads the payment (`read-back.ts`) and finds that the card was lost. */
const FORGOTTEN_LATE_MS = 50_000;

/**
 * Reverts an intent after which nothing was sent: unless another process took over, the payment is as if the button had not been
 * pressed. If the database takes longer than a buyer waits, the revert happens once it is back.
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
    deps.log.error('an intent to send a card could not be reverted', { paymentId: intended.paymentId, err });
  });
  await Promise.race([forgotten, wait(FORGOTTEN_WITHIN_MS, undefined, { ref: false })]);
}
