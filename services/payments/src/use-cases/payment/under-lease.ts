import type { PaymentStatus } from '@pay/contract/states.ts';
import { inKnownTransaction } from '@pay/shared/postgres/transaction.ts';
import { fenceOf, releaseLease, takeLease } from '../../db/payment/leases.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { Deps } from '../../deps.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';

/**
 * Runs an operation at the bank that may move the money of a payment in one of these states, alone. `fenced` while another
 * process does: nothing was sent, and it is that one's to book what comes of it.
 */
export async function underLease(
  deps: Deps,
  paymentId: string,
  statuses: readonly PaymentStatus[],
  operation: (fence: Fence) => Promise<AcquirerResult>,
): Promise<AcquirerResult> {
  // A lease that nobody knows of would keep everybody from this payment until it runs out.
  const lease = await inKnownTransaction(deps.db, (tx) => takeLease(tx, paymentId, statuses));
  if (lease === undefined) return { kind: 'fenced' };
  const result = await operation(fenceOf(deps.db, lease));
  await deps.db.transaction((tx) => releaseLease(tx, lease));
  return result;
}
