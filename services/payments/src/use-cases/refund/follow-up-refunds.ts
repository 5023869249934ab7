import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inKnownTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sideBySideLoop } from '@pay/shared/service/side-by-side.ts';
import { claimDueRefunds, listRoutesWithDueRefunds } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { BY_ROUTE } from '../acquiring/by-acquiring-route.ts';
import { readBackRefund } from './send-refund.ts';

/** A claim lasts a minute; an unavailable database is waited for almost as long. */
const REPEATED_FOR_MS = 50_000;

/** The worker that resolves refunds with an unknown outcome. Replicas share the work by leases. */
export function followUpRefundsLoop(deps: Deps): Loop {
  return sideBySideLoop({
    ...BY_ROUTE,
    name: 'follow-up-refunds',
    intervalMs: 1_000,
    log: deps.log,
    parties: () => listRoutesWithDueRefunds(deps.db),
    claim: (routeId, limit) => inKnownTransaction(deps.db, (tx) => claimDueRefunds(tx, routeId, limit)),
    one: ({ refundId }) =>
      repeatWhileUnavailable(REPEATED_FOR_MS, () => readBackRefund(deps, refundId)).catch((err: unknown) => {
        // Its lease expires within a minute.
        deps.log.error('a refund could not be followed up', { refundId, err });
      }),
  });
}
