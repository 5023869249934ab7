import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Reader } from '../../packages/shared/src/postgres/db.ts';

/**
 * How many rows PostgreSQL read, with those that it then threw away, for each statement of a read: what a list costs, whatever
 * the machine does meanwhile.
 */
export async function rowsLookedAt(url: string, read: (reader: Reader) => Promise<unknown>): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const statements: { readonly text: string; readonly values: unknown[] }[] = [];
    const logger = { logQuery: (text: string, values: unknown[]) => void statements.push({ text, values }) };
    await read(drizzle(client, { logger }));
    const counts: number[] = [];
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`, values);
      const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
      counts.push(explained === undefined ? NaN : mostRowsOf(explained.Plan));
    }
    return counts;
  } finally {
    await client.end();
  }
}

/** A step of a plan, as PostgreSQL writes it. */
type Node = {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
};

/** Of the step that read most. */
function mostRowsOf(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.max((node['Actual Rows'] + removed) * node['Actual Loops'], ...(node.Plans ?? []).map(mostRowsOf));
}
