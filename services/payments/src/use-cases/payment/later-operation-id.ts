import { createHash } from 'node:crypto';

/**
 * Our id of the order for a payment's second or later card (`attempt` 2 to 5): a UUIDv7 with the payment's time, the same whenever it is asked
 * for. A database that was restored to before the decline gives the next order the id under which the bank already has it, so that
 * money taken for it is found. ADR 0193.
 */
export function laterOperationId(paymentId: string, attempt: number): string {
  const hash = createHash('sha256')
    .update(`${paymentId} ${String(attempt)}`)
    .digest('hex');
  const variant = '89ab'[Number.parseInt(hash.slice(3, 4), 16) % 4];
  const time = paymentId.slice(0, 13);
  return `${time}-7${hash.slice(0, 3)}-${String(variant)}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
