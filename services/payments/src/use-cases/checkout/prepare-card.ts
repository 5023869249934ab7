import type { Channel } from '../../acquirers/acquirer.ts';
import { forgetCardAttempt } from '../../db/checkout/card-attempts.ts';
import { findCardEntry, type CardEntry } from '../../db/checkout/card-entry.ts';
import { findPaymentByFormAt } from '../../db/payment/payments.ts';
import type { CheckoutDeps } from '../../deps.ts';
import { canEnterCard } from '../../domain/payment/card-entry.ts';
import type { ThreeDsPreparation } from '../../domain/acquiring/three-ds.ts';
import { admitCard, type SendCard } from './admit-card.ts';
import { openTicket, writeTicket } from './card-ticket.ts';

export type PrepareCard = Pick<SendCard, 'formToken' | 'card' | 'source'>;

/** `threeDsServerTransId`: the issuer wants to look at the browser first (3DS Method), for the authentication of this id. */
export type PreparedCard = { readonly ticket: string; readonly threeDsServerTransId?: string };

/**
 * The buyer pressed "pay", and the page asks whether the issuer wants to look at the browser before the card is sent. Nothing
 * is kept and no money moves; the page sends the card itself right after, with the ticket. Undefined where there is nothing to carry: sending the
 * card says why. It counts as an attempt, because what a bank says of a card tells whoever tries stolen ones something.
 */
export async function prepareCard(
  deps: CheckoutDeps,
  { formToken, card, source }: PrepareCard,
): Promise<PreparedCard | undefined> {
  const found = await findCardEntry(deps.db, formToken);
  const channel = found === undefined ? undefined : findTakingChannel(deps, found);
  if (found === undefined || channel === undefined) return undefined;
  const attemptId = await admitCard(deps, found, { card, source });
  if (attemptId === undefined) return undefined;
  const { paymentId } = found.payment;
  const result = await channel.prepareThreeDs(paymentId, card);
  if (result.kind === 'not-sent') {
    await deps.db.transaction((tx) => forgetCardAttempt(tx, attemptId));
    return undefined;
  }
  const prepared = result.kind === 'prepared' ? result.preparation : null;
  const ticket = writeTicket(deps, { paymentId, card, now: found.now }, { attemptId, prepared });
  const method = methodOf(prepared);
  return method === undefined ? { ticket } : { ticket, threeDsServerTransId: method.threeDsServerTransId };
}

/** The channel that the payment's card would go to now; undefined where it takes none. */
function findTakingChannel(deps: CheckoutDeps, { payment, now, route, held }: CardEntry): Channel | undefined {
  if (!canEnterCard(payment, now) || held !== undefined) return undefined;
  const channel = deps.channelOf(route);
  return channel?.isAvailable === true ? channel : undefined;
}

/** Where the issuer looks at the browser, and what it is told: what the hidden frame posts. */
export type ThreeDsMethod = { readonly url: string; readonly threeDsServerTransId: string };

/** The 3DS Method of a ticket; undefined where it has none, or is no ticket of this form (any more). */
export async function openThreeDsMethod(
  deps: CheckoutDeps,
  formToken: string,
  ticket: string,
): Promise<ThreeDsMethod | undefined> {
  const found = await findPaymentByFormAt(deps.db, formToken);
  if (found === undefined) return undefined;
  const opened = openTicket(deps, { paymentId: found.payment.paymentId, now: found.now }, ticket);
  return methodOf(opened?.prepared ?? null);
}

function methodOf(prepared: ThreeDsPreparation | null): ThreeDsMethod | undefined {
  const { methodUrl = null, threeDsServerTransId = null } = prepared ?? {};
  return methodUrl === null || threeDsServerTransId === null ? undefined : { url: methodUrl, threeDsServerTransId };
}
