import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { ConfigError } from '../config/config.ts';
import type { Reader } from './db.ts';
import { isUnavailable } from './errors.ts';
import { IS_REAL_CLOCK } from './movable-clock.ts';
import { selectRows } from './select-rows.ts';

/** Pause before an unavailable database is tried again. */
const AGAIN_MS = 1_000;

/**
 * Resolves once the schema's clock is LIVE's. In a schema migrated as TEST, one row moves the clock, and leases,
 * deadlines and reconciled days with it. Waits as long as the database is down.
 * @throws ConfigError if it is another clock
 */
export async function demandRealClock(reader: Reader, onAway: (err: unknown) => void): Promise<void> {
  for (;;) {
    try {
      const rows = await selectRows<{ real: boolean }>(reader, sql.raw(IS_REAL_CLOCK));
      if (rows[0]?.real === true) return;
      break;
    } catch (err) {
      if (!isUnavailable(err)) throw err;
      onAway(err);
      await wait(AGAIN_MS);
    }
  }
  throw new ConfigError(`clock_now() of this schema is not LIVE's: run the service's migrate.ts with ENVIRONMENT=LIVE`);
}
