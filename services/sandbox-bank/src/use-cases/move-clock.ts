import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { lockClockOffset, readClockOffset, setClockOffset } from '../db/clock-offset.ts';
import type { Deps } from '../deps.ts';
import { advancedOffset } from '../domain/clock-offset.ts';

export type TestClock = { readonly offsetMilliseconds: number; readonly now: Date };

/** The current clock of the whole TEST system (decisions/clock). */
export async function readClock(deps: Deps): Promise<TestClock> {
  return { offsetMilliseconds: await readClockOffset(deps.db), now: await clock(deps.db) };
}

/** Moves it forward for all services by an ISO 8601 duration such as `P1M`. @throws ApiError VALIDATION_FAILED */
export async function advanceClock(deps: Deps, duration: string): Promise<TestClock> {
  return inTransaction(deps.db, async (tx) => {
    const before = await lockClockOffset(tx);
    const offsetMilliseconds = advancedOffset(await clock(tx), before, duration);
    if (offsetMilliseconds === undefined) {
      throw invalidField('advance', 'must be an ISO 8601 duration that moves the clock forward, by at most 100 years in total');
    }
    await setClockOffset(tx, offsetMilliseconds);
    return { offsetMilliseconds, now: await clock(tx) };
  });
}

/** Resets it to real time. */
export async function resetClock(deps: Deps): Promise<TestClock> {
  return inTransaction(deps.db, async (tx) => {
    await setClockOffset(tx, 0);
    return { offsetMilliseconds: 0, now: await clock(tx) };
  });
}
