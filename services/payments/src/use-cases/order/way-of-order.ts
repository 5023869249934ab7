import { isSameButForMark } from '@pay/shared/identities/operation-ids.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { laterOperationId } from './later-operation-id.ts';

/**
 * How an order of a payment is paid, by our own record: a payment's present order says so, and the id of one that was left behind is made
 * of it. `UNKNOWN`: the order is not one of this payment.
 */
export function wayOfOrder(payment: Payment, operationId: string): 'CARD' | 'SBP' | 'UNKNOWN' {
  if (operationId === operationOf(payment)) return paysBySbp(payment) ? 'SBP' : 'CARD';
  // The first order is paid as the payment's method says.
  if (operationId === payment.paymentId) return payment.method === 'SBP_DYNAMIC_QR' ? 'SBP' : 'CARD';
  for (let attempt = 2; attempt <= payment.declinedCount + 1; attempt += 1) {
    for (const way of ['CARD', 'SBP'] as const) {
      if (isSameButForMark(operationId, laterOperationId(payment.paymentId, attempt, way))) return way;
    }
  }
  return 'UNKNOWN';
}
