import { clock } from '@pay/shared/postgres/clock.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { countDue, readWaiting } from '../db/overview.ts';
import { callbacksDue, callbacksOldest, callbacksWaiting } from '../delivery/metrics.ts';

const INTERVAL_MS = 15_000;

/** Measures what is left to send, whatever it waits for. Every replica measures the same. */
export function watchWaiting(db: Db): Loop {
  return {
    name: 'waiting callbacks',
    intervalMs: INTERVAL_MS,
    round: async () => {
      const [{ waiting, oldestAt }, due, now] = await Promise.all([readWaiting(db), countDue(db), clock(db)]);
      callbacksDue.set(due);
      callbacksWaiting.set(waiting);
      callbacksOldest.set(oldestAt === null ? 0 : Math.max(0, now.getTime() - oldestAt.getTime()) / 1_000);
      return 'done';
    },
  };
}
