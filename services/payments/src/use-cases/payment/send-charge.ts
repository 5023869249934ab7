import type { Acquirer } from '../../acquirers/acquirer.ts';
import { fenceJustTaken, fenceOf, leaseOf } from '../../db/payment/leases.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { findCardToCharge } from '../../db/saved-card/chargeable-cards.ts';
import { cardIsNotRevoked, type SavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { askConsent } from '../saved-card/ask-consent.ts';
import { tokenOf } from '../saved-card/save-card.ts';
import { recordOutcome, recordSeen } from './record-outcome.ts';

/** A charge that is about to be sent, and what was known when its lease was taken. */
export type NewCharge = {
  readonly charge: Payment;
  readonly acquirer: Acquirer;
  readonly card: SavedCard;
  readonly isRevoked: boolean;
  /** Nothing new may be sent now, or it is not known whether the buyer still agrees. */
  readonly isHeld: boolean;
  /** Since before the read whose time began the lease. */
  readonly elapsedMs: () => number;
  /** That time, and `performance.now()` after it was read. */
  readonly now: Date;
  readonly seenAtMs: number;
};

/**
 * Sends a charge that was just stored to the bank and books the answer. The statement that stored it is the first check of the
 * fence (decisions/leases-and-fences). A charge whose binding was revoked by then ends here
 * (decisions/recurring-charges).
 */
export async function sendNewCharge(deps: Deps, charge: NewCharge): Promise<Payment> {
  const { charge: payment, elapsedMs, now, seenAtMs } = charge;
  const outcome = await charged(deps, charge, fenceJustTaken(fenceOfCharge(deps, payment), elapsedMs));
  return recordSeen(deps, { payment, now, seenAtMs }, outcome);
}

/**
 * Sends a charge of a saved card to the bank again and books the answer. The caller holds the lease in the payment, taken
 * in a committed transaction. It may have been sent before, so the bank is asked first, and the card is charged only
 * if the bank knows nothing, or only the order. Not every bank treats a repeat with the same id as one charge: the lease keeps two
 * processes from charging (decisions/leases-and-fences). A charge that did not get to the bank before its binding was
 * revoked ends here (decisions/recurring-charges).
 */
export async function sendCharge(deps: Deps, payment: Payment, acquirer: Acquirer | undefined): Promise<Payment> {
  const outcome = acquirer === undefined ? ({ kind: 'not-sent' } as const) : await send(deps, payment, acquirer);
  return recordOutcome(deps, payment, outcome, leaseOf(payment));
}

async function send(deps: Deps, payment: Payment, acquirer: Acquirer): Promise<Outcome> {
  const { paymentId, partnerId, bindingId, routeId } = payment;
  const known = await acquirer.read(paymentId);
  // An open order at the bank was created for this charge, which never arrived.
  if (known.kind !== 'absent' && known.kind !== 'registered') return known;
  const consent = await askConsent(deps, payment);
  if (bindingId === null) throw new Error('a charge names no binding');
  // Read after the answer, so that a revocation in the meantime counts.
  const found = await findCardToCharge(deps.db, { partnerId, bindingId, routeId });
  if (found === undefined) throw new Error('a charge names a missing saved card');
  const { card, held } = found;
  const isRevoked = consent === 'revoked' || card.revokedAt !== null;
  const isHeld = consent === 'unknown' || consent === 'unwanted' || held !== undefined;
  return charged(deps, { charge: payment, acquirer, card, isRevoked, isHeld }, fenceOfCharge(deps, payment));
}

/** Of a charge: besides the lease, bindings is asked whether the buyer still agrees, at the same moment. */
function fenceOfCharge(deps: Deps, payment: Payment): Fence {
  const lease = fenceOf(deps.db, leaseOf(payment), cardIsNotRevoked());
  return {
    async ask() {
      // The lease first: its age is counted from before both questions.
      const [answer, consent] = await Promise.all([lease.ask(), askConsent(deps, payment)]);
      return consent === 'stands' ? answer : { ...answer, leftMs: 0 };
    },
  };
}

async function charged(
  deps: Deps,
  { charge, acquirer, card, isRevoked, isHeld }: Omit<NewCharge, 'elapsedMs' | 'now' | 'seenAtMs'>,
  fence: Fence,
): Promise<Outcome> {
  if (isRevoked) return { kind: 'ended', failureCode: 'CONSENT_REVOKED' };
  // It waits for the next scheduled read.
  if (isHeld) return { kind: 'not-sent' };
  const { paymentId: operationId, amountKopecks, description, receipt } = charge;
  return acquirer.charge({ operationId, amountKopecks, description, cardToken: tokenOf(deps, card), receipt }, fence);
}
