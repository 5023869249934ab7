import type { Acquirer } from '../../acquirers/acquirer.ts';
import { fenceOf, leaseOf } from '../../db/payment/leases.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { findCardToCharge } from '../../db/saved-card/chargeable-cards.ts';
import { cardIsNotRevoked } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { askConsent } from '../saved-card/ask-consent.ts';
import { tokenOf } from '../saved-card/save-card.ts';
import { recordOutcome } from './record-outcome.ts';

/**
 * Sends a charge of a saved card to the bank and books the answer. The caller holds the lease that the payment names, taken
 * in a transaction that is committed. `again`: it may have been sent before, so the bank is asked first, and charged only
 * when it never heard of it, or only of the order. Not every bank takes a repeat under one id for one: the lease keeps two
 * processes from charging (ADR 0070). A charge that did not get to the bank before its binding was revoked ends here (ADR 0100).
 */
export async function sendCharge(
  deps: Deps,
  payment: Payment,
  acquirer: Acquirer | undefined,
  attempt: 'first' | 'again',
): Promise<Payment> {
  const outcome =
    acquirer === undefined ? ({ kind: 'not-sent' } as const) : await send(deps, payment, acquirer, attempt);
  return recordOutcome(deps, payment.paymentId, outcome, leaseOf(payment));
}

async function send(deps: Deps, payment: Payment, acquirer: Acquirer, attempt: 'first' | 'again'): Promise<Outcome> {
  const { paymentId, partnerId, bindingId, routeId, amountKopecks, description, receipt } = payment;
  if (attempt === 'again') {
    const known = await acquirer.read(paymentId);
    // An order that is open there was made for this charge, which did not get to it.
    if (known.kind !== 'absent' && known.kind !== 'registered') return known;
  }
  if (bindingId === null) throw new Error('a charge names no binding');
  const consent = await askConsent(deps, partnerId, bindingId);
  // Read after the answer: a revoke that was told meanwhile counts.
  const found = await findCardToCharge(deps.db, { partnerId, bindingId, routeId });
  if (found === undefined) throw new Error('a charge names a saved card that is not there');
  const { card, held } = found;
  if (consent === 'revoked' || card.revokedAt !== null) return { kind: 'ended', failureCode: 'CONSENT_REVOKED' };
  // It waits, and is looked at again by plan.
  if (consent === 'unknown' || held !== undefined) return { kind: 'not-sent' };
  const charge = { operationId: paymentId, amountKopecks, description, cardToken: tokenOf(deps, card), receipt };
  return acquirer.charge(charge, fenceOf(deps.db, leaseOf(payment), cardIsNotRevoked()));
}
