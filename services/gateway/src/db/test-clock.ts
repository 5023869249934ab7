import { sql } from 'drizzle-orm';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';

export type TestClock = { readonly now: Date; readonly aheadSeconds: number };

/** The clock that decisions use, beside the real one: in TEST it can be moved (decisions/clock). */
export async function readTestClock(reader: Reader): Promise<TestClock> {
  const [row] = await selectRows<{ now: string; ahead: string }>(
    reader,
    sql`select ${databaseNow} as now, round(extract(epoch from clock_now() - clock_timestamp())) as ahead`,
  );
  if (row === undefined) throw new Error('clock_now() returned no row');
  return { now: new Date(Number(row.now)), aheadSeconds: Number(row.ahead) };
}
