import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** Who only reads. */
export type Reader = {
  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
};

/** An open transaction: the only way to write. */
export type Tx = Reader & {
  /** Returns how many rows changed: a guarded update that changed none was too late. */
  run(sql: string, ...values: SQLInputValue[]): number;
};

export type Database = Reader & {
  /** Commits what `work` wrote, or nothing if it throws. Transactions run one after another. */
  transaction<T>(work: (tx: Tx) => T | Promise<T>): Promise<T>;
  close(): void;
};

const SCHEMA = `
  -- The key is saved with the order, before the service is asked: whoever dies in between asks again with it.
  create table if not exists orders (
    id text primary key,
    customer text not null,
    title text not null,
    kopecks integer not null check (kopecks > 0),
    method text not null check (method in ('card', 'sbp', 'renewal')),
    saves_card integer not null check (saves_card in (0, 1)),
    binding_id text,
    idempotency_key text not null unique,
    status text not null check (status in ('NEW', 'WAITING', 'PAID', 'FAILED')),
    payment_id text unique,
    payment_url text,
    qr_link text,
    qr_image text,
    failure text,
    created_at text not null
  ) strict;
  -- One open charge for a saved card, whatever runs at once.
  create unique index if not exists open_renewal on orders (binding_id)
    where method = 'renewal' and status in ('NEW', 'WAITING');

  create table if not exists refunds (
    id text primary key,
    order_id text not null references orders (id),
    kopecks integer not null check (kopecks > 0),
    idempotency_key text not null unique,
    status text not null check (status in ('NEW', 'PENDING', 'COMPLETED', 'FAILED')),
    refund_id text unique,
    failure text,
    created_at text not null
  ) strict;

  create table if not exists subscriptions (
    customer text primary key,
    binding_id text not null unique,
    status text not null check (status in ('ACTIVE', 'PAUSED', 'ENDED')),
    next_charge_at text,
    note text
  ) strict;

  create table if not exists callback_events (
    event_id text primary key,
    aggregate_id text not null,
    aggregate_version integer not null,
    received_at text not null,
    repeats integer not null default 0,
    type text not null default '',
    effect text not null default 'older than what was applied: ignored',
    body text not null default ''
  ) strict;
  create index if not exists callback_events_aggregate on callback_events (aggregate_id, aggregate_version);
`;

/** Opens the file, and creates the tables if they are missing. */
export function openDatabase(file: string): Database {
  const sqlite = new DatabaseSync(file);
  // WAL: readers do not wait for a writer. FULL: what was committed survives a power cut; we answer 200 because of it.
  // Busy: a backup or somebody's SQL shell may have the file for a moment.
  sqlite.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  sqlite.exec(SCHEMA);
  const reader: Reader = {
    // The tables are strict: a row is what its statement selects.
    one: <Row>(sql: string, ...values: SQLInputValue[]) => sqlite.prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) => sqlite.prepare(sql).all(...values) as Row[],
  };
  const tx: Tx = { ...reader, run: (sql, ...values) => Number(sqlite.prepare(sql).run(...values).changes) };

  // There is one connection, so an `await` in one transaction would let another one in: they queue instead.
  let last: Promise<unknown> = Promise.resolve();
  const runAlone = async <T>(work: (tx: Tx) => T | Promise<T>): Promise<T> => {
    sqlite.exec('begin immediate');
    try {
      const result = await work(tx);
      sqlite.exec('commit');
      return result;
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('rollback');
      throw error;
    }
  };
  return {
    ...reader,
    transaction(work) {
      const mine = last.then(() => runAlone(work));
      last = mine.catch(() => undefined);
      return mine;
    },
    close: () => {
      sqlite.close();
    },
  };
}
