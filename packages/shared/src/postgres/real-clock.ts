import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { ConfigError } from '../config/config.ts';
import type { Reader } from './db.ts';
import { isUnavailable } from './errors.ts';
import { IS_REAL_CLOCK } from './movable-clock.ts';
import { selectRows } from './select-rows.ts';

/** A database that is away is asked again after this. */
const AGAIN_MS = 1_000;

/**
 * Resolves when the schema's clock is LIVE's. A schema that was migrated as TEST has a clock which one row moves: leases,
 * deadlines and the days that are reconciled would move with it. Waits as long as the database is away.
 * @throws ConfigError when it is another one.
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
