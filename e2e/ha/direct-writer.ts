import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Host } from './network.ts';
import type { Drill } from './system.ts';

/** A client that bypasses HAProxy and PgBouncer: it writes to one PostgreSQL server whatever that server has become. */
export type DirectWriter = {
  /** Stops writing. Sentences: the answered writes that the primary of now does not have. */
  lost(): Promise<readonly string[]>;
};

const TABLE = 'public.direct_writes';
const PAUSE_MS = 20;
const CONNECT_MS = 1_000;

/** Writes until stopped; waits for each answer for ever, because a frozen server may still give it. */
export async function startDirectWriter({ adminUrl, query }: Drill, host: Host): Promise<DirectWriter> {
  await query(`create table if not exists ${TABLE} (host text, number bigint, primary key (host, number))`);
  await query(`delete from ${TABLE}`);
  const stopping = new AbortController();
  const answered: number[] = [];
  let number = 0;
  const url = Object.assign(new URL(adminUrl), { host: `${host}:5432` }).href;
  const writeOnOneConnection = async (client: pg.Client) => {
    await client.connect();
    while (!stopping.signal.aborted) {
      number += 1;
      const own = number;
      await client.query(`insert into ${TABLE} values ($1, $2)`, [host, own]);
      answered.push(own);
      await wait(PAUSE_MS);
    }
  };
  const write = async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
      client.on('error', () => undefined);
      await writeOnOneConnection(client).catch(() => undefined);
      client.end().catch(() => undefined);
      await wait(PAUSE_MS);
    }
  };
  void write();
  return {
    async lost() {
      stopping.abort();
      const rows = await query<{ number: string }>(`select number from ${TABLE} where host = $1`, [host]);
      const kept = new Set(rows.map((row) => Number(row.number)));
      return answered.filter((one) => !kept.has(one)).map((one) => `${host}: write ${String(one)} was answered and is gone`);
    },
  };
}
