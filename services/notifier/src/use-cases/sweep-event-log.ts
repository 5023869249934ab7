import type { Db } from '@pay/shared/postgres/db.ts';
import { SWEEP_BATCH } from '@pay/shared/postgres/partitions.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sweepAggregates, sweepEvents } from '../db/retention.ts';

const HOUR_MS = 3_600_000;

/** Keeps the events at 30 days, in small batches, once an hour. Their attempts go by partitions (`partitionsLoop`). */
export function eventLogSweepLoop(db: Db): Loop {
  return {
    name: 'event log sweep',
    intervalMs: HOUR_MS,
    round: async () => {
      const counts: number[] = [];
      for (const sweep of [sweepEvents, sweepAggregates]) counts.push(await inTransaction(db, sweep));
      return counts.includes(SWEEP_BATCH) ? 'more' : 'done';
    },
  };
}
