import { findOurOperations } from '../../db/reconciliation/our-operations.ts';
import { claimPaymentForNotification } from '../../db/payment/payments.ts';
import { wakeMoneyReturn } from '../../db/money-return/money-returns.ts';
import { claimRefundForNotification, wakeRefundsOf } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { readBack } from '../payment/read-back.ts';
import { readBackRefund } from '../refund/send-refund.ts';
import { recordRefundOutcome } from '../refund/record-refund-outcome.ts';

/** read: the bank was asked, or will be at once. final: there is nothing to ask any more. unknown: none of ours. */
export type NotificationOutcome = 'read' | 'final' | 'unknown';

/**
 * A bank told that something became of an operation. What it told is not looked at: it is a reason to ask the bank now,
 * and the answer to that is booked as any read is (ADR 0050). So a notification that comes twice, late, in the wrong
 * order or from somebody else can do no more than a read. Should this process die meanwhile, or its database be away, the
 * worker reads: a payment within seconds, a refund within a minute. `bankOperationId`: which of its own payments of the order the bank told of, where it counts such: a paid order
 * is read when it is another one than what is booked (ADR 0071).
 */
export async function onBankNotification(
  deps: Deps,
  operationId: string,
  bankOperationId?: string,
): Promise<NotificationOutcome> {
  const claimed = await deps.db.transaction(async (tx) => {
    if (await claimPaymentForNotification(tx, operationId, bankOperationId)) return 'payment';
    if (await claimRefundForNotification(tx, operationId)) return 'refund';
    if (await wakeMoneyReturn(tx, operationId)) return 'return';
    // A bank that knows payments only tells of a refund by its payment.
    return (await wakeRefundsOf(tx, operationId)) ? 'refunds' : undefined;
  });
  if (claimed === 'payment') await readBack(deps, operationId);
  if (claimed === 'refund') await recordRefundOutcome(deps, operationId, await readBackRefund(deps, operationId));
  if (claimed !== undefined) return 'read';
  return (await findOurOperations(deps.db, [operationId])).length === 0 ? 'unknown' : 'final';
}
