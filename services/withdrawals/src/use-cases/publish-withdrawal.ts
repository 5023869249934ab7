import type { ExtraEvent } from '@pay/contract/extra-events.ts';
import type { WithdrawalFact } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { Withdrawal } from '../db/withdrawals.ts';
import type { WithdrawalStatus } from '../domain/withdrawal-status.ts';

/** The event for each status that a request can reach. */
const EVENT_OF = {
  REQUESTED: 'withdrawal.requested',
  IN_REVIEW: 'withdrawal.in_review',
  APPROVED: 'withdrawal.approved',
  COMPLETED: 'withdrawal.completed',
  REJECTED: 'withdrawal.rejected',
  CANCELLED: 'withdrawal.cancelled',
  FAILED: 'withdrawal.failed',
} as const satisfies Record<WithdrawalStatus, ExtraEvent>;

/** Publishes the event of a request's move, in the transaction of the move. */
export async function publishWithdrawal(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const { withdrawalRequestId, partnerId, storeId, beneficiaryRef, status, statusReason, transferReference } = withdrawal;
  const payload: WithdrawalFact = {
    partnerId,
    withdrawalRequestId,
    aggregateVersion: withdrawal.aggregateVersion,
    storeId,
    amountMicroUsdt: withdrawal.amountMicroUsdt.toString(),
    beneficiaryRef,
    status,
    ...(statusReason === null ? {} : { statusReason }),
    ...(transferReference === null ? {} : { transferReference }),
    occurredAt: withdrawal.updatedAt.toISOString(),
  };
  const { updatedAt: occurredAt } = withdrawal;
  await appendToOutbox(tx, { type: EVENT_OF[status], aggregateId: withdrawalRequestId, occurredAt, payload });
}
