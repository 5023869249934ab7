import type { RequestHandler } from 'express';
import { cutRange, TimeRangeQuery } from '@pay/shared/http/time-range.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Deps } from '../../deps.ts';
import { readOverview } from '../../use-cases/operator/read-overview.ts';

/** GET /operator/overview?from=&to=: what became of the payments of a range, bucket by bucket, why some failed, the books now. */
export function overviewRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const range = cutRange(validate(TimeRangeQuery, { ...req.query }));
    const { buckets, failures, balances } = await readOverview(deps.db, range);
    res.json({
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      bucketSeconds: range.bucketSeconds,
      amount: renderRub(buckets.reduce((sum, { amountKopecks }) => sum + amountKopecks, 0n)),
      buckets: buckets.map(({ at, amountKopecks, ...bucket }) => ({
        at: at.toISOString(),
        ...bucket,
        amount: renderRub(amountKopecks),
      })),
      failures,
      balances: balances.map(({ balanceKopecks, ...account }) => ({ ...account, balance: renderRub(balanceKopecks) })),
    });
  };
}
