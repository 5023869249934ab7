import { inTraceOf } from '@pay/shared/telemetry/tracing.ts';
import { UNBOOKED } from '../../db/payment/leases.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { lookForNextOrder } from './look-for-next-order.ts';
import { recordOutcome } from './record-outcome.ts';
import { underLease } from './under-lease.ts';

const SESSION_EXPIRED = { kind: 'ended', failureCode: 'SESSION_EXPIRED' } as const;

/**
 * Ends a payment whose session is over, but only after the bank has just confirmed that it is not paid, and the order was
 * withdrawn there. Without an answer the payment stays as it is, and the worker tries again. See spec/decisions#unknown-outcome.
 */
export async function expirePayment(deps: Deps, paymentId: string): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) return;
  await inTraceOf('expire payment', payment.traceparent, async () => {
    await recordOutcome(deps, payment, await lastWord(deps, payment));
  });
}

async function lastWord(deps: Deps, payment: Payment): Promise<Outcome> {
  // A payment that waits for the buyer's consent was never sent to the bank.
  if (payment.status === 'CREATED' && awaitsConsent(payment)) return SESSION_EXPIRED;
  const acquirer = await findAcquirer(deps, payment.routeId);
  return acquirer === undefined ? { kind: 'not-sent' } : askLastTime(deps, acquirer, payment);
}

async function askLastTime(deps: Deps, acquirer: Acquirer, payment: Payment): Promise<Outcome> {
  const { paymentId, method, consent } = payment;
  const read = await acquirer.read(operationOf(payment), { savedCard: consent === 'GIVEN' });
  const last = await lookForNextOrder(deps, acquirer, payment, read);
  // A charge has no buyer's session and cannot be withdrawn: the bank decides, however long that takes.
  if (last.kind === 'pending' && method === 'CARD_BINDING') return last;
  if (last.kind !== 'registered' && last.kind !== 'pending') return isDecisive(last) ? last : SESSION_EXPIRED;
  const withdrawn = await underLease(deps, paymentId, UNBOOKED, (fence) => acquirer.cancel(operationOf(payment), fence));
  // Another process is working on it: the worker tries again.
  if (withdrawn.kind === 'fenced') return withdrawn;
  // A withdrawn QR code is void at the bank too: there is nothing to ask about later.
  if (withdrawn.kind === 'cancelled' && method === 'SBP_DYNAMIC_QR') return withdrawn;
  return withdrawn.kind === 'confirmed' || withdrawn.kind === 'declined' ? withdrawn : SESSION_EXPIRED;
}

/** Whether the bank has decided or did not answer, or has another order of the payment: then the session does not end now. */
function isDecisive({ kind }: Outcome): boolean {
  return kind === 'switched' || kind === 'confirmed' || kind === 'declined' || kind === 'unknown' || kind === 'not-sent';
}
