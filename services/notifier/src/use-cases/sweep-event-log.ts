import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sweepAggregates, sweepAttempts, sweepEvents, SWEEP_BATCH } from '../db/retention.ts';

const HOUR_MS = 3_600_000;

/** Keeps the event log at 30 days, in small batches, once an hour. */
export function eventLogSweepLoop(db: Db): Loop {
  return {
    name: 'event log sweep',
    intervalMs: HOUR_MS,
    round: async () => {
      const counts: number[] = [];
      for (const sweep of [sweepAttempts, sweepEvents, sweepAggregates]) counts.push(await inTransaction(db, sweep));
      return counts.includes(SWEEP_BATCH) ? 'more' : 'done';
    },
  };
}
