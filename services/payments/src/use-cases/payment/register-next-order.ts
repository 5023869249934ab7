import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { inKnownTransaction } from '@pay/shared/postgres/transaction.ts';
import { takeNextOrderLease } from '../../db/payment/leases.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { awaitsNextOrder, operationOf } from '../../domain/payment/next-card.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { recordOutcome } from './record-outcome.ts';
import { registerAt } from './submit-payment.ts';

/**
 * After a decline: registers the order for the next card, so that the buyer can enter one. Nothing happens if none is wanted, or if
 * somebody else is doing it. Without an answer the worker continues, with the same operation id. See decisions/orders-of-a-payment.
 */
export async function registerNextOrder(deps: Deps, payment: Payment): Promise<void> {
  if (!awaitsNextOrder(payment)) return;
  const { paymentId, routeId } = payment;
  const lease = await inKnownTransaction(deps.db, (tx) => takeNextOrderLease(tx, paymentId, operationOf(payment)));
  if (lease === undefined) return;
  const acquirer = await findAcquirer(deps, routeId);
  const result = await registerAt(deps, { payment: { ...payment, leaseNumber: lease.number }, acquirer });
  await recordOutcome(deps, payment, result, lease).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    deps.log.warn('the order for another card could not be booked yet', { paymentId, err: error });
  });
}
