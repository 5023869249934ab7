import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { effects } from '../../../test/mechanisms-tables.ts';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import type { Tx } from '../db.ts';
import { compiledByColumns, compiledInsert } from './compiled.ts';
import { inPipeline } from './pipeline.ts';
import { isMissed, valueIf } from './value-if.ts';

let t: Mechanisms;
beforeEach(async () => {
  t = await openMechanisms();
  await t.query(`insert into effects (name) values ('seen')`);
});
afterEach(() => t.close());

const renamed = compiledByColumns(effects, { seen: effects.name }, (columns, { seen }, builder) =>
  builder
    .update(effects)
    .set({ ...columns, id: valueIf(eq(effects.name, seen), effects.id) })
    .where(eq(effects.id, 1n))
    .returning(),
);
const rename = (tx: Tx, seen: string, name: string) => renamed(tx, { name }, { seen });
const insert = compiledInsert(effects);

it('changes a row that is as it was seen, with all that was sent together', async () => {
  await inPipeline(t.database.db, (tx) => [rename(tx, 'seen', 'changed'), insert(tx, { name: 'too' })]);
  expect(await t.effectNames()).toEqual(['changed', 'too']);
});

it('fails together with all that was sent with it if the row is another by now', async () => {
  const sent = inPipeline(t.database.db, (tx) => [
    insert(tx, { name: 'before' }),
    rename(tx, 'seen earlier', 'changed'),
    insert(tx, { name: 'after' }),
  ]);
  const error: unknown = await sent.catch((thrown: unknown) => thrown);
  expect(isMissed(error)).toBe(true);
  // PostgreSQL logs the detail of an error. It would be the row.
  expect(inspect(error)).toMatch(/detail: undefined/);
  expect(await t.effectNames()).toEqual(['seen']);
});

it('judges the row as it is when a lock that it waited for is gone', async () => {
  const [sent] = await t.database.db.transaction(async (tx) => {
    await rename(tx, 'seen', 'changed meanwhile');
    const waiting = inPipeline(t.database.db, (other) => [rename(other, 'seen', 'changed')]).catch((error: unknown) => error);
    while ((await t.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length === 0);
    return [waiting] as const;
  });
  expect(isMissed(await sent)).toBe(true);
  expect(await t.effectNames()).toEqual(['changed meanwhile']);
});
