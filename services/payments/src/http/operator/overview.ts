import type { RequestHandler } from 'express';
import type { PaymentOverview } from '@pay/contract/operator/overview.ts';
import { cutRange, TimeRangeQuery } from '@pay/shared/http/time-range.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { renderRub, renderRubAmount } from '@pay/shared/money/money.ts';
import type { Deps } from '../../deps.ts';
import { readOverview } from '../../use-cases/operator/read-overview.ts';

/** GET /operator/overview?from=&to=: how the payments of a range ended, bucket by bucket, why some failed, and the books now. */
export function overviewRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const range = cutRange(validateQuery(TimeRangeQuery, req.url));
    const { buckets, failures, balances } = await readOverview(deps.db, range);
    const overview: PaymentOverview = {
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
      balances: balances.map(({ account, balanceKopecks, share }) => ({
        account,
        balance: renderRubAmount(balanceKopecks),
        share,
      })),
    };
    res.json(overview);
  };
}
