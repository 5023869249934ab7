import { UNBOOKED } from '../../db/payment/leases.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { recordOutcome } from './record-outcome.ts';
import { underLease } from './under-lease.ts';

const SESSION_EXPIRED = { kind: 'ended', failureCode: 'SESSION_EXPIRED' } as const;

/**
 * Ends a payment whose session is over: only after the bank said, at this moment, that it is not paid, and the order was
 * withdrawn there. No answer: the payment stays as it is and the worker comes back. See spec/decisions#unknown-outcome.
 */
export async function expirePayment(deps: Deps, paymentId: string): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) return;
  await recordOutcome(deps, paymentId, await lastWord(deps, payment));
}

async function lastWord(deps: Deps, payment: Payment): Promise<Outcome> {
  // The bank never heard of a payment whose buyer was not asked yet.
  if (payment.status === 'CREATED' && awaitsConsent(payment)) return SESSION_EXPIRED;
  const acquirer = await findAcquirer(deps, payment.routeId);
  return acquirer === undefined ? { kind: 'not-sent' } : askLastTime(deps, acquirer, payment);
}

async function askLastTime(deps: Deps, acquirer: Acquirer, payment: Payment): Promise<Outcome> {
  const { paymentId, method, consent } = payment;
  const last = await acquirer.read(paymentId, { savedCard: consent === 'GIVEN' });
  // No buyer's session ends here, and a charge can't be withdrawn: it is the bank's to decide, however long that takes.
  if (last.kind === 'pending' && method === 'CARD_BINDING') return last;
  if (last.kind !== 'registered' && last.kind !== 'pending') return isDecisive(last) ? last : SESSION_EXPIRED;
  const withdrawn = await underLease(deps, paymentId, UNBOOKED, (fence) => acquirer.cancel(paymentId, fence));
  // Somebody else is at it: the worker comes back.
  if (withdrawn.kind === 'fenced') return withdrawn;
  // A withdrawn code is dead at the bank too: there is nothing to ask about later.
  if (withdrawn.kind === 'cancelled' && method === 'SBP_DYNAMIC_QR') return withdrawn;
  return withdrawn.kind === 'confirmed' || withdrawn.kind === 'declined' ? withdrawn : SESSION_EXPIRED;
}

/** The bank decided, or said nothing: then the session does not end now. */
function isDecisive({ kind }: AcquirerResult): boolean {
  return kind === 'confirmed' || kind === 'declined' || kind === 'unknown' || kind === 'not-sent';
}
