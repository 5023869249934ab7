import { findOurOperations } from '../../db/reconciliation/our-operations.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { findNamedOrder } from '../../db/payment/declined-cards.ts';
import { claimPaymentForNotification } from '../../db/payment/payments.ts';
import { wakeMoneyReturn } from '../../db/money-return/money-returns.ts';
import { claimRefundForNotification, wakeRefundsOf } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { readBack } from '../payment/read-back.ts';
import { readDeclinedOrder } from '../payment/read-declined-order.ts';
import { readBackRefund } from '../refund/send-refund.ts';

/**
 * read: the bank was asked, or will be at once. unanswered: it was asked about a declined card's order and did not answer clearly; nobody
 * will ask again unless it repeats the notification. final: there is nothing left to ask. unknown: not our operation.
 */
export type NotificationOutcome = 'read' | 'unanswered' | 'final' | 'unknown';

/**
 * Handles a bank's notification that an operation changed. Its content is not trusted: it only makes us ask the bank now,
 * and the answer is booked like any other read (decisions/unknown-outcomes). A notification that arrives twice, late,
 * out of order or from an impostor can cause no more than a read. If this process dies meanwhile, or the database is
 * unavailable, the worker reads: a payment within seconds, a refund within a minute. Nobody follows the order of a
 * declined card up: it is read before the bank gets its answer, so that the bank repeats what did not lead to a clear
 * answer (decisions/orders-of-a-payment). `bankOperationId`: which of the bank's own payments for the order the
 * notification is about, if the bank counts them. A paid order is read if it is not the booked one
 * (decisions/unknown-outcomes).
 */
export async function onBankNotification(deps: Deps, operationId: string, bankOperationId?: string): Promise<NotificationOutcome> {
  const { named, claimed } = await deps.db.transaction(async (tx) => {
    const found = await findNamedOrder(tx, operationId);
    if (found.kind === 'declined') return { named: found, claimed: undefined };
    return { named: found, claimed: await claim(tx, found.paymentId, operationId, bankOperationId) };
  });
  if (named.kind === 'declined') {
    const { kind } = await readDeclinedOrder(deps, named.card);
    return kind === 'unknown' || kind === 'not-sent' || kind === 'fenced' ? 'unanswered' : 'read';
  }
  if (claimed === 'payment') await readBack(deps, named.paymentId);
  if (claimed === 'refund') await readBackRefund(deps, operationId);
  if (claimed !== undefined) return 'read';
  return (await findOurOperations(deps.db, [operationId])).length === 0 ? 'unknown' : 'final';
}

/**
 * Claims what the notification is about, unless that is a declined order, so that it is read even if this process dies. Undefined: there is
 * nothing to read.
 */
async function claim(
  tx: Tx,
  paymentId: string,
  operationId: string,
  bankOperationId: string | undefined,
): Promise<'payment' | 'refund' | 'return' | 'refunds' | undefined> {
  if (await claimPaymentForNotification(tx, paymentId, bankOperationId)) return 'payment';
  if (await claimRefundForNotification(tx, operationId)) return 'refund';
  if (await wakeMoneyReturn(tx, operationId)) return 'return';
  // Some banks know only payments, and report a refund with the id of its payment.
  return (await wakeRefundsOf(tx, paymentId)) ? 'refunds' : undefined;
}
