import { createHash } from 'node:crypto';
import { markedAs } from '@pay/shared/identities/operation-ids.ts';
import type { WayToPay } from '../../domain/payment/sbp-order.ts';

/**
 * Our id of the second or later order of a payment, for a card or for SBP: a UUIDv7 with the payment's time and mark, the same whenever it
 * is asked for. A database that was restored to before the earlier one ended gives the next order the id under which the bank already has
 * it, so that money taken for it is found. See decisions/orders-of-a-payment.
 */
export function laterOperationId(paymentId: string, attempt: number, way: WayToPay = 'CARD'): string {
  const hash = createHash('sha256')
    .update(`${paymentId} ${String(attempt)}${way === 'SBP' ? ' SBP' : ''}`)
    .digest('hex');
  const variant = '89ab'[Number.parseInt(hash.slice(3, 4), 16) % 4];
  const time = paymentId.slice(0, 13);
  return markedAs(`${time}-7${hash.slice(0, 3)}-${String(variant)}${hash.slice(4, 7)}-${hash.slice(7, 19)}`, paymentId);
}
