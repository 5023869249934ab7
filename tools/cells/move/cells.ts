import pg from 'pg';
import type { Cell } from './settings.ts';
import { MOVED_SERVICES, type MovedService } from './tables.ts';

const CONNECT_TIMEOUT_MS = 30_000;

/** A connection for each service's schema, which is its search path; moments are written in UTC. */
export type Connections = Readonly<Record<MovedService, pg.Client>> & { readonly name: string };

/** Connects to every service's database of a cell, as the owner of the schemas. */
export async function connectTo({ name, databases }: Cell): Promise<Connections> {
  const clients = MOVED_SERVICES.map((service) => {
    const client = new pg.Client({
      connectionString: databases[service],
      application_name: 'move-partner',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      options: `-c search_path=${service} -c timezone=UTC -c statement_timeout=0 -c idle_in_transaction_session_timeout=0`,
    });
    // The running statement fails with the same error; without a listener it would end the process.
    client.on('error', () => undefined);
    return [service, client] as const;
  });
  const connections = { name, ...(Object.fromEntries(clients) as Record<MovedService, pg.Client>) };
  const connected = await Promise.allSettled(clients.map(([, client]) => client.connect()));
  const failed = connected.find((result) => result.status === 'rejected');
  if (failed === undefined) return connections;
  await disconnect(connections);
  throw new Error(`${name} cannot be reached: ${String(failed.reason)}`, { cause: failed.reason });
}

/** Ends all connections; what is not committed is rolled back. */
export async function disconnect(connections: Connections): Promise<void> {
  await Promise.allSettled(MOVED_SERVICES.map((service) => connections[service].end()));
}

/** The rows of a query. */
export async function rowsOf<T extends pg.QueryResultRow>(client: pg.Client, sql: string, values: readonly unknown[] = []): Promise<T[]> {
  return (await client.query<T>(sql, [...values])).rows;
}

/** The only number of a query's only row. */
export async function numberOf(client: pg.Client, sql: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await rowsOf<{ n: string }>(client, `select (${sql})::text as n`, values);
  return Number(row?.n);
}

/** Does something in one transaction. */
export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
