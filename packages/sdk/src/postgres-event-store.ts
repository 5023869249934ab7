import { isRecord } from './errors.ts';
import type { EventStore, Receipt } from './event-store.ts';

/** The parts of a `pg` connection that are used: this client depends on no driver. */
export type PostgresConnection = {
  query(text: string, values?: unknown[]): Promise<{ readonly rowCount: number | null; readonly rows: unknown[] }>;
  release(error?: Error): void;
};

/** The table, in the database of your orders. */
export const CALLBACK_EVENTS_SQL = `create table callback_events (
  event_id text primary key,
  aggregate_id text not null,
  aggregate_version integer not null,
  received_at timestamptz not null default now()
);
create index callback_events_aggregate on callback_events (aggregate_id, aggregate_version);`;

/**
 * Records events in PostgreSQL, in one transaction with what `apply` does on the same connection. Events of one payment
 * are applied one at a time, across any number of processes. If `apply` throws, nothing is recorded.
 */
export function postgresEventStore<Connection extends PostgresConnection>(pool: {
  connect(): Promise<Connection>;
}): EventStore<Connection> {
  return {
    async receive({ eventId, aggregateId, aggregateVersion }, apply) {
      const connection = await pool.connect();
      try {
        await connection.query('begin');
        await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [aggregateId]);
        const newest = await newestVersion(connection, aggregateId);
        const inserted = await connection.query(
          'insert into callback_events (event_id, aggregate_id, aggregate_version) values ($1, $2, $3) on conflict do nothing',
          [eventId, aggregateId, aggregateVersion],
        );
        const receipt: Receipt = inserted.rowCount === 0 ? 'repeat' : aggregateVersion < newest ? 'older' : 'applied';
        if (receipt === 'applied') await apply(connection);
        await connection.query('commit');
        connection.release();
        return receipt;
      } catch (error) {
        // A connection whose rollback failed is broken: the pool must not reuse it.
        const broken = await connection.query('rollback').then(
          () => undefined,
          () => new Error('rollback failed'),
        );
        connection.release(broken);
        throw error;
      }
    },
  };
}

async function newestVersion(connection: PostgresConnection, aggregateId: string): Promise<number> {
  const { rows } = await connection.query(
    'select coalesce(max(aggregate_version), 0)::int as version from callback_events where aggregate_id = $1',
    [aggregateId],
  );
  const [row] = rows;
  if (!isRecord(row) || typeof row['version'] !== 'number') throw new Error('max() returned no row');
  return row['version'];
}
