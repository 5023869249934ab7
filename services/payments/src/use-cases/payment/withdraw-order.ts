import { UNBOOKED } from '../../db/payment/leases.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { underLease } from './under-lease.ts';

/** Withdraws an order at its bank and returns its state afterwards. `fenced` while another process is working on it. */
export async function withdrawOrder(deps: Deps, payment: Pick<Payment, 'paymentId' | 'operationId' | 'routeId'>): Promise<AcquirerResult> {
  const { paymentId, routeId } = payment;
  const acquirer = await findAcquirer(deps, routeId);
  if (acquirer === undefined) return { kind: 'not-sent' };
  return underLease(deps, paymentId, UNBOOKED, (fence) => acquirer.cancel(operationOf(payment), fence));
}
