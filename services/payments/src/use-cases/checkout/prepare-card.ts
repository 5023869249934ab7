import type { Acquirer } from '../../acquirers/acquirer.ts';
import { forgetCardAttempt } from '../../db/checkout/card-attempts.ts';
import { findCardEntry, type CardEntry } from '../../db/checkout/card-entry.ts';
import { findPaymentByCheckoutAt } from '../../db/payment/payments.ts';
import type { CheckoutDeps } from '../../deps.ts';
import { canEnterCard } from '../../domain/payment/card-entry.ts';
import type { ThreeDsPreparation } from '../../domain/acquiring/three-ds.ts';
import { admitCard, type SendCard } from './admit-card.ts';
import { openTicket, writeTicket } from './card-ticket.ts';

export type PrepareCard = Pick<SendCard, 'checkoutToken' | 'card' | 'source'>;

/** `threeDsServerTransId`: set if the issuer wants to run its 3DS Method in the browser first, for this authentication. */
export type PreparedCard = { readonly ticket: string; readonly threeDsServerTransId?: string };

/**
 * The buyer pressed "pay", and the page asks whether the issuer has a 3DS Method to run before the card is sent. Nothing
 * is stored and no money moves; the page sends the card right after, with the ticket. Undefined if there is nothing to carry:
 * sending the card then reports why. It counts as an attempt, because the bank's answer is useful to people who test stolen cards.
 */
export async function prepareCard(
  deps: CheckoutDeps,
  { checkoutToken, card, source }: PrepareCard,
): Promise<PreparedCard | undefined> {
  const found = await findCardEntry(deps.db, checkoutToken);
  const acquirer = found === undefined ? undefined : findTakingAcquirer(deps, found);
  if (found === undefined || acquirer === undefined) return undefined;
  const attemptId = await admitCard(deps, found, { card, source });
  if (attemptId === undefined) return undefined;
  const { paymentId } = found.payment;
  const result = await acquirer.prepareThreeDs(paymentId, card);
  if (result.kind === 'not-sent') {
    await deps.db.transaction((tx) => forgetCardAttempt(tx, attemptId));
    return undefined;
  }
  const prepared = result.kind === 'prepared' ? result.preparation : null;
  const ticket = writeTicket(deps, { paymentId, card, now: found.now }, { attemptId, prepared });
  const method = methodOf(prepared);
  return method === undefined ? { ticket } : { ticket, threeDsServerTransId: method.threeDsServerTransId };
}

/** The acquirer to which the payment's card would go now; undefined if the payment takes no card. */
function findTakingAcquirer(deps: CheckoutDeps, { payment, now, route, held }: CardEntry): Acquirer | undefined {
  if (!canEnterCard(payment, now) || held !== undefined) return undefined;
  const acquirer = deps.acquirerOf(route);
  return acquirer?.isAvailable === true ? acquirer : undefined;
}

/** The issuer's 3DS Method: its address, and the id that the hidden frame posts there. */
export type ThreeDsMethod = { readonly url: string; readonly threeDsServerTransId: string };

/** The 3DS Method of a ticket; undefined if it has none, or if the ticket is invalid or expired. */
export async function openThreeDsMethod(
  deps: CheckoutDeps,
  checkoutToken: string,
  ticket: string,
): Promise<ThreeDsMethod | undefined> {
  const found = await findPaymentByCheckoutAt(deps.db, checkoutToken);
  if (found === undefined) return undefined;
  const opened = openTicket(deps, { paymentId: found.payment.paymentId, now: found.now }, ticket);
  return methodOf(opened?.prepared ?? null);
}

function methodOf(prepared: ThreeDsPreparation | null): ThreeDsMethod | undefined {
  const { methodUrl = null, threeDsServerTransId = null } = prepared ?? {};
  return methodUrl === null || threeDsServerTransId === null ? undefined : { url: methodUrl, threeDsServerTransId };
}
