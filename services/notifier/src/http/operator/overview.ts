import type { RequestHandler } from 'express';
import type { DeliveryOverview } from '@pay/contract/operator/overview.ts';
import { cutRange, TimeRangeQuery } from '@pay/shared/http/time-range.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readDeliveryOverview } from '../../use-cases/read-event-log.ts';

/** GET /operator/overview?from=&to=: how long callbacks took, bucket by bucket, and what waits now. */
export function overviewRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const range = cutRange(validateQuery(TimeRangeQuery, req.url));
    const { buckets, waiting } = await readDeliveryOverview(deps.db, range);
    const overview: DeliveryOverview = {
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      bucketSeconds: range.bucketSeconds,
      buckets: buckets.map(({ at, ...bucket }) => ({ at: at.toISOString(), ...bucket })),
      waiting: { waiting: waiting.waiting, oldestAt: waiting.oldestAt?.toISOString() ?? null },
    };
    res.json(overview);
  };
}
