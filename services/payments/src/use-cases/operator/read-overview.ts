import type { Reader } from '@pay/shared/postgres/db.ts';
import type { TimeRange } from '@pay/shared/http/time-range.ts';
import {
  countFailures,
  readAccountShares,
  readPaymentBuckets,
  type AccountShare,
  type FailureCount,
  type PaymentBucket,
} from '../../db/operator/overview.ts';

/** GET /operator/overview */
export async function readOverview(
  reader: Reader,
  range: TimeRange,
): Promise<{
  readonly buckets: readonly PaymentBucket[];
  readonly failures: readonly FailureCount[];
  readonly balances: readonly AccountShare[];
}> {
  return {
    buckets: await readPaymentBuckets(reader, range),
    failures: await countFailures(reader, range),
    balances: await readAccountShares(reader),
  };
}
