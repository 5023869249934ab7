import type { Loop } from '@pay/shared/time/loop.ts';
import { freeLeases, listAbsentHolders, type Absence } from '../db/holders.ts';
import type { Deps } from '../deps.ts';

const INTERVAL_MS = 1_000;
/** A replica that only lost its connection is back sooner: it connects again after a second. */
const ABSENT_FOR_MS = 2_000;
/** Between two looks that are further apart a session may have come and gone. */
const LOOKS_APART_MS_MAX = 1_500;

type Options = Pick<Deps, 'db' | 'log' | 'delivery'> & {
  /** This replica's own number: whoever looks lives, and its leases are not for it to free. */
  readonly own: number;
};

/**
 * Frees what a dead replica had claimed, so that it is sent within seconds instead of at the end of the lease: the
 * session that kept its leases has ended, and did not come back in any look of `ABSENT_FOR_MS`. Every replica looks. A
 * replica that still runs may be sending what is freed here, and what it records then decides nothing. See
 * decisions/callback-delivery.
 */
export function freeLeasesLoop({ db, log, delivery, own }: Options): Loop {
  let absences = new Map<number, Absence & { readonly sinceMs: number }>();
  let lookedMs = performance.now();
  const look = async (): Promise<void> => {
    const known = absences;
    // After a look that failed nobody knows who was absent meanwhile.
    absences = new Map();
    const found = await listAbsentHolders(db);
    const nowMs = performance.now();
    const goesOn = nowMs - lookedMs <= LOOKS_APART_MS_MAX;
    lookedMs = nowMs;
    for (const absence of found) {
      const { holder } = absence;
      if (holder === own) continue;
      absences.set(holder, (goesOn ? known.get(holder) : undefined) ?? { ...absence, sinceMs: nowMs });
    }
    const over = [...absences.values()].filter(({ sinceMs }) => nowMs - sinceMs >= ABSENT_FOR_MS);
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
