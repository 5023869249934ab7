import type { Loop } from '@pay/shared/service/loop.ts';
import { sideBySideLoop } from '@pay/shared/service/side-by-side.ts';
import { claimDueRefunds, listRoutesWithDueRefunds } from '../db/refunds.ts';
import type { Deps } from '../deps.ts';
import { BY_ROUTE } from './by-route.ts';
import { readBackRefund } from './send-refund.ts';
import { settleRefund } from './settle-refund.ts';

/** The worker that ends refunds whose outcome is not known. Replicas share the work by leases. */
export function followUpRefundsLoop(deps: Deps): Loop {
  return sideBySideLoop({
    ...BY_ROUTE,
    name: 'follow-up-refunds',
    intervalMs: 1_000,
    log: deps.log,
    parties: () => listRoutesWithDueRefunds(deps.db),
    claim: (routeId, limit) => deps.db.transaction((tx) => claimDueRefunds(tx, routeId, limit)),
    one: ({ refundId }) =>
      followUp(deps, refundId).catch((err: unknown) => {
        // Its lease runs out in a minute.
        deps.log.error('a refund could not be followed up', { refundId, err });
      }),
  });
}

async function followUp(deps: Deps, refundId: string): Promise<void> {
  await settleRefund(deps, refundId, await readBackRefund(deps, refundId));
}
