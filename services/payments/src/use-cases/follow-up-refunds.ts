import type { Loop } from '@pay/shared/service/loop.ts';
import { claimDueRefunds } from '../db/refunds.ts';
import type { Deps } from '../deps.ts';
import { readBackRefund } from './send-refund.ts';
import { settleRefund } from './settle-refund.ts';

/** Looked at in one round, all at once: each waits for the bank, none holds a connection meanwhile. */
const BATCH = 20;
const INTERVAL_MS = 1_000;

/** The worker that ends refunds whose outcome is not known. Replicas share the work by leases. */
export function followUpRefundsLoop(deps: Deps): Loop {
  return {
    name: 'follow-up-refunds',
    intervalMs: INTERVAL_MS,
    round: async () => ((await followUpDueRefunds(deps)) === BATCH ? 'more' : 'done'),
  };
}

/** Looks at the refunds that are due, at most one batch. Returns how many. */
export async function followUpDueRefunds(deps: Deps): Promise<number> {
  const due = await deps.db.transaction((tx) => claimDueRefunds(tx, BATCH));
  await Promise.all(
    due.map(({ refundId }) =>
      followUp(deps, refundId).catch((err: unknown) => {
        // Its lease runs out in a minute; the others of the batch go on.
        deps.log.error('a refund could not be followed up', { refundId, err });
      }),
    ),
  );
  return due.length;
}

async function followUp(deps: Deps, refundId: string): Promise<void> {
  await settleRefund(deps, refundId, await readBackRefund(deps, refundId));
}
