import { forgetCardAttempt } from '../../db/checkout/card-attempts.ts';
import { findCardEntry } from '../../db/checkout/card-entry.ts';
import { findPaymentByCheckoutAt } from '../../db/payment/payments.ts';
import type { CheckoutDeps } from '../../deps.ts';
import type { ThreeDsPreparation } from '../../domain/acquiring/three-ds.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { admitCard, attemptOf, type SendCard } from './admit-card.ts';
import { openTicket, writeTicket } from './card-ticket.ts';
import { takingAcquirer } from './pay-by-card.ts';

export type PrepareCard = Pick<SendCard, 'checkoutToken' | 'card' | 'source'>;

/** `threeDsServerTransId`: set if the issuer wants to run its 3DS Method in the browser first, for this authentication. */
export type PreparedCard = { readonly ticket: string; readonly threeDsServerTransId?: string };

/**
 * The buyer pressed "pay", and the page asks whether the issuer has a 3DS Method to run before the card is sent. Nothing
 * is stored and no money moves; the page sends the card right after, with the ticket. Undefined if there is nothing to carry:
 * sending the card then reports why. It counts as an attempt, because the bank's answer is useful to people who test stolen cards.
 */
export async function prepareCard(deps: CheckoutDeps, { checkoutToken, card, source }: PrepareCard): Promise<PreparedCard | undefined> {
  const found = await findCardEntry(deps.db, checkoutToken);
  const acquirer = found === undefined ? 'not-payable' : takingAcquirer(deps, found);
  if (found === undefined || typeof acquirer === 'string') return undefined;
  const operationId = operationOf(found.payment);
  const attempt = attemptOf(deps, found, { card, source });
  if (!(await admitCard(deps, attempt))) return undefined;
  const { attemptId } = attempt;
  const result = await acquirer.prepareThreeDs(operationId, card);
  if (result.kind === 'not-sent') {
    await deps.db.transaction((tx) => forgetCardAttempt(tx, attemptId));
    return undefined;
  }
  const prepared = result.kind === 'prepared' ? result.preparation : null;
  const ticket = writeTicket(deps, { operationId, card, now: found.now }, { attemptId, prepared });
  const method = methodOf(prepared);
  return method === undefined ? { ticket } : { ticket, threeDsServerTransId: method.threeDsServerTransId };
}

/** The issuer's 3DS Method: its address, and the id that the hidden frame posts there. */
export type ThreeDsMethod = { readonly url: string; readonly threeDsServerTransId: string };

/** The 3DS Method of a ticket; undefined if it has none, or if the ticket is invalid or expired. */
export async function openThreeDsMethod(deps: CheckoutDeps, checkoutToken: string, ticket: string): Promise<ThreeDsMethod | undefined> {
  const found = await findPaymentByCheckoutAt(deps.db, checkoutToken);
  if (found === undefined) return undefined;
  const opened = openTicket(deps, { operationId: operationOf(found.payment), now: found.now }, ticket);
  return methodOf(opened?.prepared ?? null);
}

function methodOf(prepared: ThreeDsPreparation | null): ThreeDsMethod | undefined {
  const { methodUrl = null, threeDsServerTransId = null } = prepared ?? {};
  return methodUrl === null || threeDsServerTransId === null ? undefined : { url: methodUrl, threeDsServerTransId };
}
