import type { PaymentStatus } from '@pay/contract/states.ts';
import { inKnownTransaction } from '@pay/shared/postgres/transaction.ts';
import { fenceOf, releaseLease, takeLease } from '../../db/payment/leases.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { Deps } from '../../deps.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';

/**
 * Runs an operation at the bank that may move the money of a payment in one of these states, exclusively. `fenced` while another
 * process holds the lease: nothing was sent, and that process books the result.
 */
export async function underLease(
  deps: Deps,
  paymentId: string,
  statuses: readonly PaymentStatus[],
  operation: (fence: Fence) => Promise<AcquirerResult>,
): Promise<AcquirerResult> {
  // A lease that was taken without our knowledge would block this payment until it expires.
  const lease = await inKnownTransaction(deps.db, (tx) => takeLease(tx, paymentId, statuses));
  if (lease === undefined) return { kind: 'fenced' };
  const result = await operation(fenceOf(deps.db, lease));
  await deps.db.transaction((tx) => releaseLease(tx, lease));
  return result;
}
