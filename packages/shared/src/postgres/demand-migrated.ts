import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { ConfigError } from '../config/config.ts';
import type { Reader } from './db.ts';
import { isUnavailable, sqlState } from './errors.ts';
import { Journal } from './migrate.ts';
import { selectRows } from './select-rows.ts';

/** Pause before an unavailable database is tried again. */
const AGAIN_MS = 1_000;
/** No such table, or no right to read it: never migrated, or by a version without this check. */
const NEVER_MIGRATED = new Set(['42P01', '42501']);

/**
 * Resolves once the schema has the newest migration of `folder` (`…/migrations/`). Code that ran earlier would fail
 * wherever it needs what is missing, beside the version that it replaces and that still works
 * (decisions/rolling-updates). A newer schema is fine. Waits as long as the database is down.
 * @throws ConfigError that names the migration
 */
export async function demandMigrated(reader: Reader, folder: URL, onAway: (err: unknown) => void): Promise<void> {
  const { entries } = Journal.parse(JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')));
  const needed = entries.at(-1);
  if (needed === undefined) return;
  for (;;) {
    try {
      if ((await newestOf(reader)) >= needed.when) return;
      break;
    } catch (err) {
      if (!isUnavailable(err)) throw err;
      onAway(err);
      await wait(AGAIN_MS);
    }
  }
  throw new ConfigError(`the schema lacks migration ${needed.tag}: run the service's migrate.ts of this version first`);
}

/** When the newest applied migration was made; 0 if none was run. */
async function newestOf(reader: Reader): Promise<number> {
  try {
    const rows = await selectRows<{ newest: string | null }>(reader, sql`select max(created_at) as newest from migrations`);
    return Number(rows[0]?.newest ?? 0);
  } catch (error) {
    if (NEVER_MIGRATED.has(sqlState(error) ?? '')) return 0;
    throw error;
  }
}
