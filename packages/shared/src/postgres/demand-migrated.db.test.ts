import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openMechanisms, type Mechanisms } from '../../test/mechanisms.ts';
import { ConfigError } from '../config/config.ts';
import { demandMigrated } from './demand-migrated.ts';

let t: Mechanisms;
let folder: string;
beforeAll(async () => {
  t = await openMechanisms();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  mkdirSync(join(folder, 'meta'));
  const entries = [
    { tag: '0000_begin', when: 1_000 },
    { tag: '0001_go_on', when: 2_000 },
  ];
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
  await t.query('create schema if not exists of_migrations');
  await t.query('create table of_migrations.migrations (created_at bigint)');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await t.query('drop schema of_migrations cascade');
});
afterAll(() => t.close());

/** The answer to a program with this schema. */
async function demanded(): Promise<string> {
  const outcome = t.database.db.transaction(async (tx) => {
    await tx.execute('set local search_path = of_migrations');
    await demandMigrated(tx, pathToFileURL(`${folder}/`), (err) => {
      throw err;
    });
    return 'starts';
  });
  return outcome.catch((error: unknown) => {
    if (error instanceof ConfigError) return error.message;
    throw error;
  });
}
const LACKS = "the schema lacks migration 0001_go_on: run the service's migrate.ts of this version first";

describe('a program whose code needs migration 0001', () => {
  it.each([
    ['does not start where no migration was run', [], LACKS],
    ['does not start where only the one before was run', [1_000], LACKS],
    ['starts where it was run', [1_000, 2_000], 'starts'],
    ['starts where a later version migrated further', [1_000, 2_000, 3_000], 'starts'],
  ])('%s', async (_what, run, outcome) => {
    for (const when of run) await t.query('insert into of_migrations.migrations values ($1)', [when]);
    expect(await demanded()).toBe(outcome);
  });

  it('does not start where nobody ever migrated', async () => {
    await t.query('drop table of_migrations.migrations');
    expect(await demanded()).toBe(LACKS);
  });
});
