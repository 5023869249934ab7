import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Reader } from './db.ts';

/** Runs a raw `select` and returns its rows. For statements in `db/` that drizzle's builder cannot express (lint). */
export async function selectRows<T extends Record<string, unknown>>(reader: Reader, select: SQL) {
  if (!canExecute(reader)) throw new TypeError('a Reader is the pool or a transaction of drizzle');
  const { rows } = await reader.execute<T>(select);
  return rows;
}

const canExecute = (reader: Reader): reader is Reader & Pick<NodePgDatabase, 'execute'> => 'execute' in reader;
