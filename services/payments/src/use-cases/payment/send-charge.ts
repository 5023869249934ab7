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
 * Sends a charge of a saved card to the bank and books the answer. The caller holds the lease in the payment, taken
 * in a committed transaction. `again`: it may have been sent before, so the bank is asked first, and the card is charged only
 * if the bank knows nothing, or only the order. Not every bank treats a repeat with the same id as one charge: the lease keeps two
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
    // An open order at the bank was created for this charge, which never arrived.
    if (known.kind !== 'absent' && known.kind !== 'registered') return known;
  }
  if (bindingId === null) throw new Error('a charge names no binding');
  const consent = await askConsent(deps, partnerId, bindingId);
  // Read after the answer, so that a revocation in the meantime counts.
  const found = await findCardToCharge(deps.db, { partnerId, bindingId, routeId });
  if (found === undefined) throw new Error('a charge names a missing saved card');
  const { card, held } = found;
  if (consent === 'revoked' || card.revokedAt !== null) return { kind: 'ended', failureCode: 'CONSENT_REVOKED' };
  // It waits for the next scheduled read.
  if (consent === 'unknown' || held !== undefined) return { kind: 'not-sent' };
  const charge = { operationId: paymentId, amountKopecks, description, cardToken: tokenOf(deps, card), receipt };
  return acquirer.charge(charge, fenceOf(deps.db, leaseOf(payment), cardIsNotRevoked()));
}
