import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { inTraceOf } from '@pay/shared/telemetry/tracing.ts';
import type { Acquirer, Authorization, CardDetails } from '../../acquirers/acquirer.ts';
import type { CardEntry } from '../../db/checkout/card-entry.ts';
import type { Deps } from '../../deps.ts';
import { canEnterCard } from '../../domain/payment/card-entry.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { forgetIntent, intendCard, intendOptimistically, type IntendedCard } from './intend-card.ts';
import { recordSeen } from '../payment/record-outcome.ts';
import { registerNextOrder } from '../payment/register-next-order.ts';
import { bankReturnUrl } from '../payment/submit-payment.ts';

/**
 * accepted: the card went to the bank; `openCheckout` returns the result. not-payable: this payment takes no card, or no
 * longer; one was sent already; or its partner, point or route is suspended or closed. route-unavailable: nothing was sent, and the buyer
 * may try again.
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
export async function payByCard(deps: Deps, entry: CardEntry, command: PayByCard): Promise<PayByCardOutcome> {
  const acquirer = takingAcquirer(deps, entry);
  if (typeof acquirer === 'string') return acquirer;
  const { payment } = entry;
  const { payerKey } = command;
  const intended = (await intendOptimistically(deps, payment, payerKey)) ?? (await intendCard(deps, payment, payerKey));
  return intended === undefined ? 'not-payable' : sendIntended(deps, acquirer, intended, command);
}

/** The acquirer to which the payment's card would go now, or why it goes nowhere. */
export function takingAcquirer(deps: Deps, { payment, now, route, held }: CardEntry): Acquirer | Exclude<PayByCardOutcome, 'accepted'> {
  if (!canEnterCard(payment, now) || held !== undefined) return 'not-payable';
  const acquirer = deps.acquirerOf(route);
  return acquirer?.isAvailable === true ? acquirer : 'route-unavailable';
}

/**
 * Sends a card whose intent is committed, and books the result. Called in the tick in which the intent's answer arrived, it needs no other
 * fence.
 */
export function sendIntended(deps: Deps, acquirer: Acquirer, intended: IntendedCard, command: PayByCard): Promise<PayByCardOutcome> {
  const { traceparent } = intended.seen.payment;
  return inTraceOf('send card', traceparent, () => send(deps, acquirer, intended, command));
}

async function send(
  deps: Deps,
  acquirer: Acquirer,
  { seen, fence }: IntendedCard,
  { card, payerKey: _kept, ...known }: PayByCard,
): Promise<PayByCardOutcome> {
  const { payment } = seen;
  const authorization = {
    operationId: operationOf(payment),
    card,
    saveCard: payment.consent === 'GIVEN',
    returnUrl: bankReturnUrl(deps, payment),
    // Never null: it was written with the intent.
    whenNotAuthenticated: payment.whenNotAuthenticated ?? 'DECLINE',
    ...known,
  };
  // A connector throws only if it could not check the fence: then the card was not sent.
  const result = await acquirer.authorize(authorization, fence).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return { kind: 'fenced' } as const;
  });
  if (result.kind === 'not-sent' || result.kind === 'fenced') {
    await forgetIntent(deps, payment);
    return 'route-unavailable';
  }
  try {
    await registerNextOrder(deps, await recordSeen(deps, seen, result));
  } catch (error) {
    // The bank has the card and the intent is committed: the worker reads the outcome back once the database answers.
    if (!isUnavailable(error)) throw error;
    deps.log.warn('the outcome of a card payment could not be booked yet', {
      paymentId: payment.paymentId,
      err: error,
    });
  }
  return 'accepted';
}
