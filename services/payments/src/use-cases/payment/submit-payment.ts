import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { inSharedPipeline } from '@pay/shared/postgres/fast/shared-pipeline.ts';
import { inKnownTransaction } from '@pay/shared/postgres/transaction.ts';
import { inTraceOf } from '@pay/shared/telemetry/tracing.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { fenceOf, leaseOf, takeRegisterLease } from '../../db/payment/leases.ts';
import { findPayment, registrationStatement, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { moveToNextRoute } from '../acquiring/choose-acquiring-route.ts';
import { sendCharge } from './send-charge.ts';
import { recordOutcome } from './record-outcome.ts';

/** The address of a payment's checkout page. */
export function paymentUrl(deps: Deps, payment: Pick<Payment, 'checkoutToken'>): string {
  return `${deps.checkoutUrl}/pay/${payment.checkoutToken}`;
}

/** Where the bank's own pages send the buyer back to; that page asks the bank for the result. */
export function bankReturnUrl(deps: Deps, payment: Pick<Payment, 'checkoutToken'>): string {
  return `${paymentUrl(deps, payment)}/return`;
}

/** A payment to register, and where. Without a fence the database is asked for one. */
type Submission = { readonly payment: Payment; readonly acquirer: Acquirer | undefined; readonly fence?: Fence };

/**
 * CREATED → SUBMITTED: registers a payment at the bank. The caller holds the lease in the payment, taken in a committed
 * transaction. If the route turns out to be down before anything was sent, the next one is used. Without an
 * answer the payment stays CREATED: a repeat of the POST or the worker registers it again, with the same id and at the same route.
 */
export async function submitPayment(deps: Deps, submission: Submission): Promise<Payment> {
  const tried = new Set<string>();
  let current = submission;
  for (;;) {
    tried.add(current.payment.routeId);
    const result = await registerAt(deps, current);
    const next = result.kind === 'not-sent' ? await moveToNextRoute(deps, current.payment, tried) : undefined;
    if (next === undefined) {
      const registered = await recordRegistration(deps, current.payment, result);
      return registered ?? recordOutcome(deps, current.payment, result, leaseOf(current.payment));
    }
    current = next;
  }
}

/**
 * Records an ordinary registration in one statement. Undefined for any other result, and while the database is unavailable:
 * then `record-outcome.ts` decides, and leaves the same row.
 */
async function recordRegistration(deps: Deps, payment: Payment, result: AcquirerResult): Promise<Payment | undefined> {
  if (result.kind !== 'registered' || payment.method !== 'CARD') return undefined;
  const { paymentId, leaseNumber, partnerId } = payment;
  const { bankOperationId } = result;
  try {
    const [[registered]] = await inSharedPipeline(deps.db, partnerId, (writer) => [
      registrationStatement(writer, { paymentId, leaseNumber, bankOperationId }),
    ]);
    return registered;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return undefined;
  }
}

/** Registers the order of a payment under the lease in it. Books nothing. */
export async function registerAt(deps: Deps, { payment, acquirer, fence: known }: Submission): Promise<AcquirerResult> {
  if (acquirer === undefined) return { kind: 'not-sent' };
  const { amountKopecks, description, expiresAt, receipt } = payment;
  const savesCard = payment.consent === 'GIVEN';
  const order = {
    operationId: operationOf(payment),
    amountKopecks,
    description,
    expiresAt,
    returnUrl: bankReturnUrl(deps, payment),
    savesCard,
    receipt,
  };
  const fence = known ?? fenceOf(deps.db, leaseOf(payment));
  if (!paysBySbp(payment)) return acquirer.register(order, fence);
  const result = await acquirer.createQr(order, fence);
  // A registration without the QR link is useless: it is requested again, with the same id.
  return result.kind === 'registered' && result.nspkUrl === null ? { kind: 'unknown' } : result;
}

/** Registers a payment unless somebody else is doing so. Undefined if somebody is, or if it is already registered. */
export async function submitIfFree(deps: Deps, paymentId: string): Promise<Payment | undefined> {
  const before = await findPayment(deps.db, paymentId);
  const lease = await inKnownTransaction(deps.db, (tx) => takeRegisterLease(tx, paymentId));
  const found = lease === undefined ? undefined : await findPayment(deps.db, paymentId);
  if (lease === undefined || found === undefined) return undefined;
  // With the number of our lease: by now the row may have a newer one.
  const payment = { ...found, leaseNumber: lease.number };
  return inTraceOf('submit payment', payment.traceparent, async () => {
    const acquirer = await findAcquirer(deps, payment.routeId);
    if (payment.method === 'CARD_BINDING') return sendCharge(deps, payment, acquirer);
    // Nobody held the lease before, and no answer was ever booked: nothing can have been sent.
    const isFirst = before?.leaseUntil === null && payment.lastReadAt === null;
    if (isFirst) return submitPayment(deps, { payment, acquirer });
    return recordOutcome(deps, payment, await registerAt(deps, { payment, acquirer }), lease);
  });
}
