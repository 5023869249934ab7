import type pg from 'pg';
import { databaseClockAhead } from '../telemetry/metrics.ts';
import { wallClockMs } from '../time/wall-clock.ts';
import { onlyRow } from './only-row.ts';

/** A database that does not answer in this time is not ready. */
const PING_MS = 2_000;
/** An answer that took longer says too little about when it was given. */
const PROMPT_MS = 1_000;
/**
 * By how much this machine's clock may differ from the database's. Signed requests (300 s), tokens between services and operators'
 * identities (5 s), and the margin of a lease (5 s, if the database's server is replaced by another) leave room for more.
 */
const TOLERATED_SECONDS = 2;

const CLOCK = 'select extract(epoch from clock_timestamp())::float8 as seconds';

/** Asks the database whether it is there, and what time it has. */
export type Ping = {
  /** Never rejects; false after two seconds without an answer. */
  isAnswered(): Promise<boolean>;
  /** One sentence if the clocks differed at the last answer. */
  problems(): readonly string[];
};

/** A ping over `pool`, which also sets `database_clock_ahead_seconds`. */
export function createPing(pool: pg.Pool): Ping {
  let aheadSeconds = 0;
  const ask = async () => {
    const startedMs = wallClockMs();
    const { seconds } = onlyRow((await pool.query<{ seconds: number }>(CLOCK)).rows);
    const tookMs = wallClockMs() - startedMs;
    if (tookMs <= PROMPT_MS) {
      aheadSeconds = seconds - (startedMs + tookMs / 2) / 1_000;
      databaseClockAhead.set(aheadSeconds);
    }
    return true;
  };
  return {
    isAnswered() {
      const late = new Promise<boolean>((resolve) => {
        setTimeout(() => {
          resolve(false);
        }, PING_MS).unref();
      });
      return Promise.race([ask().catch(() => false), late]);
    },
    problems() {
      if (Math.abs(aheadSeconds) <= TOLERATED_SECONDS) return [];
      const how = aheadSeconds > 0 ? 'behind' : 'ahead of';
      return [`the clock of this machine is ${Math.abs(aheadSeconds).toFixed(0)} s ${how} the database's`];
    },
  };
}
