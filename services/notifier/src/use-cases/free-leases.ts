import type { Loop } from '@pay/shared/time/loop.ts';
import { freeLeases, listAbsentHolders } from '../db/holders.ts';
import type { Deps } from '../deps.ts';

const INTERVAL_MS = 1_000;
/** A replica that only lost its connection is back sooner: it connects again after a second. */
const ABSENT_FOR_MS = 2_000;

/**
 * Frees what a dead replica had claimed, so that it is sent within seconds instead of at the end of the lease: the
 * session that kept its leases has ended, and did not come back in any look of `ABSENT_FOR_MS`. Every replica looks. A
 * replica that still runs may be sending what is freed here, and what it records then decides nothing. ADR 0178.
 */
export function freeLeasesLoop({ db, log, delivery }: Pick<Deps, 'db' | 'log' | 'delivery'>): Loop {
  let absentSince = new Map<number, number>();
  const look = async (): Promise<void> => {
    const known = absentSince;
    // After a look that failed nobody knows who was absent meanwhile.
    absentSince = new Map();
    const absent = await listAbsentHolders(db);
    const nowMs = performance.now();
    absentSince = new Map(absent.map((holder) => [holder, known.get(holder) ?? nowMs]));
    const over = absent.filter((holder) => nowMs - (absentSince.get(holder) ?? nowMs) >= ABSENT_FOR_MS);
    if (over.length === 0) return;
    const freed = await freeLeases(db, over);
    if (freed === 0) return;
    log.warn('freed the leases of replicas that are gone', { leases: freed });
    delivery.wake();
  };
  return {
    name: 'free-leases',
    intervalMs: INTERVAL_MS,
    round: async () => {
      await look();
      return 'done';
    },
  };
}
