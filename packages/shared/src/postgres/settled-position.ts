import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { batcher } from '../batcher/batcher.ts';
import type { PartnerId } from '../identities/identities.ts';
import type { Db } from './db.ts';
import { selectRows } from './select-rows.ts';

type Options = {
  readonly db: Db;
  /** Whose rows take their number from a sequence as they are inserted. */
  readonly table: string;
  /** The highest number of each of these partners that is visible now. */
  readonly newest: (partnerIds: readonly PartnerId[]) => Promise<ReadonlyMap<PartnerId, bigint>>;
};

type Question = { readonly partnerId: PartnerId; readonly ended: AbortSignal };

/** Transactions that write are milliseconds long. */
const LOOK_AGAIN_MS = 10;
/** Streams of a replica that ask within this time share the statements: their number does not grow with the streams. */
const SHARED_MS = 50;

/** A partner's settled number. Undefined if they have no row, or `ended` came first. */
export type SettledPosition = (partnerId: PartnerId, ended: AbortSignal) => Promise<bigint | undefined>;

/**
 * Answers with a number below which no row of a partner can appear any more: a cursor may pass it. Numbers are taken before a
 * transaction commits, so a row with a lower one may become visible later; but whoever took it was writing to the table
 * when the newest became visible, and has ended now. All who ask meanwhile share the next look. See
 * decisions/event-stream.
 */
export function settledPositions({ db, table, newest }: Options): SettledPosition {
  const look = async (questions: readonly Question[]): Promise<ReadonlyMap<PartnerId, bigint>> => {
    const positions = await newest([...new Set(questions.map(({ partnerId }) => partnerId))]);
    let writing = await writersOf(db, table);
    while (writing.length > 0 && questions.some(({ ended }) => !ended.aborted)) {
      await wait(LOOK_AGAIN_MS);
      const still = new Set(await writersOf(db, table));
      writing = writing.filter((one) => still.has(one));
    }
    return positions;
  };
  const ask = batcher(look, { max: Number.POSITIVE_INFINITY, waitMs: 0, everyMs: SHARED_MS });
  return async (partnerId, ended) => {
    if (ended.aborted) return undefined;
    const over = Promise.withResolvers<undefined>();
    const end = () => {
      over.resolve(undefined);
    };
    ended.addEventListener('abort', end);
    try {
      const positions = await Promise.race([ask({ partnerId, ended }), over.promise]);
      return positions?.get(partnerId);
    } finally {
      ended.removeEventListener('abort', end);
    }
  };
}

/** The transactions that have written to a table, or are about to. They hold this lock until they have ended. */
async function writersOf(db: Db, table: string): Promise<string[]> {
  const rows = await selectRows<{ writer: string }>(
    db,
    sql`select distinct virtualtransaction as writer from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database()) and relation = ${table}::regclass`,
  );
  return rows.map(({ writer }) => writer);
}
