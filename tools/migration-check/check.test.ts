import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Journal } from '../../packages/shared/src/postgres/migrate.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { SERVICES, type ServiceName } from '../infrastructure/provision.ts';
import { checkMigration, RULES } from './check.ts';

/** The newest migration of each service when the check began: it and those before it were applied everywhere. */
const CHECKED_AFTER: Readonly<Record<ServiceName, number>> = {
  gateway: 5,
  payments: 31,
  bindings: 8,
  withdrawals: 11,
  notifier: 17,
  console: 5,
  'sandbox-bank': 6,
};

describe('the migrations', () => {
  it.each(SERVICES)('of %s lock nothing for long and break no version that still runs, or say why they may', async (service) => {
    const folder = join(ROOT, 'services', service, 'migrations');
    const { entries } = Journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
    expect(entries.length).toBeGreaterThan(CHECKED_AFTER[service]);
    const checked = entries.map(({ tag }) => tag).filter((tag) => Number(tag.slice(0, 4)) > CHECKED_AFTER[service]);
    const found = await Promise.all(
      checked.map(async (tag) =>
        (await checkMigration(readFileSync(join(folder, `${tag}.sql`), 'utf8'))).map(
          ({ rule, line }) => `${tag}.sql:${String(line)}: ${rule}: ${RULES[rule]}`,
        ),
      ),
    );
    expect(found.flat()).toEqual([]);
  });
});

describe('the snapshots of schemas', () => {
  it.each(SERVICES)('of %s are one: drizzle-kit reads only the newest, so the others are deleted', (service) => {
    const meta = join(ROOT, 'services', service, 'migrations/meta');
    expect(readdirSync(meta).filter((name) => name !== '_journal.json')).toHaveLength(1);
  });
});

describe('a migration', () => {
  it.each([
    ['an index', 'create index i on payments (a)', ['index-at-once']],
    ['an index, concurrently', 'create index concurrently i on payments (a)', []],
    ['an index that goes', 'drop index i', ['index-dropped-at-once']],
    ['an index that goes, concurrently', 'drop index concurrently i', []],
    [
      'an index, concurrently, with something else',
      'alter table payments add column a int;\ncreate index concurrently i on payments (a)',
      ['not-alone'],
    ],
    ['a check', 'alter table payments add constraint c check (a > 0)', ['constraint-at-once']],
    ['a check, not valid', 'alter table payments add constraint c check (a > 0) not valid', []],
    [
      'a check, validated with it',
      'alter table payments add constraint c check (a > 0) not valid;\nalter table payments validate constraint c',
      ['not-alone'],
    ],
    ['a check of earlier, validated', 'alter table payments validate constraint c', []],
    ['a foreign key', 'alter table payments add constraint f foreign key (a) references b (a)', ['constraint-at-once']],
    ['a unique constraint', 'alter table payments add constraint u unique (a)', ['unique-at-once']],
    ['a unique constraint of an index', 'alter table payments add constraint u unique using index i', []],
    ['a column', 'alter table payments add column a int', []],
    ['a column with a default', 'alter table payments add column a int not null default 0', []],
    ['a column with the time as default', 'alter table payments add column a timestamptz not null default clock_now()', []],
    ['a column that differs by row', 'alter table payments add column a uuid not null default gen_random_uuid()', ['column-computed']],
    ['a column that counts', 'alter table payments add column a bigserial', ['column-computed']],
    ['an identity', 'alter table payments add column a bigint generated always as identity', ['column-computed']],
    ['a column that old code does not write', 'alter table payments add column a int not null', ['column-required']],
    ['a column with a reference', 'alter table payments add column a int references b (a)', ['constraint-at-once']],
    ['a column that is unique', 'alter table payments add column a int unique', ['unique-at-once']],
    ['a column that goes', 'alter table payments drop column a', ['column-dropped']],
    ['another type', 'alter table payments alter column a type bigint', ['column-type']],
    ['not null', 'alter table payments alter column a set not null', ['not-null']],
    ['null again', 'alter table payments alter column a drop not null', []],
    ['a default that goes', 'alter table payments alter column a drop default', ['default-dropped']],
    ['another default', 'alter table payments alter column a set default 1', []],
    ['a table that goes', 'drop table payments', ['table-dropped']],
    ['a table that is emptied', 'truncate payments', ['table-dropped']],
    ['another name for a column', 'alter table payments rename column a to b', ['renamed']],
    ['another name for a table', 'alter table payments rename to paid', ['renamed']],
    ['another name for a constraint', 'alter table payments rename constraint a to b', []],
    ['all rows', 'update payments set a = 1', ['rows-changed']],
    ['rows that go', 'delete from payments where a = 1', ['rows-changed']],
    [
      'a new table, with all that belongs to it',
      'create table t (a int not null unique references b (a));\ncreate index i on t (a);\nalter table t add constraint c check (a > 0);\nupdate t set a = 1',
      [],
    ],
    [
      'a trigger and a function',
      'create function f() returns trigger language plpgsql as $$ begin update payments set a = 1; return new; end $$;\ncreate trigger x before insert on payments for each row execute function f()',
      [],
    ],
  ] as const)('%s', async (_what, sql, rules) => {
    expect((await checkMigration(sql)).map(({ rule }) => rule)).toEqual(rules);
  });

  it('says on which line, after comments and empty lines', async () => {
    const sql = `-- Ключ: a comment with letters of two bytes.\nalter table payments add column a int;\n\n-- why\nalter table payments drop column b;`;
    expect(await checkMigration(sql)).toEqual([{ rule: 'column-dropped', line: 5 }]);
  });

  it('may do it with a reason; a reason for nothing, or none, is found', async () => {
    const drop = 'alter table payments drop column b;';
    expect(await checkMigration(`-- allow column-dropped: nothing reads it since 0.2.0\n${drop}`)).toEqual([]);
    expect(await checkMigration(`-- allow column-dropped: because\n${drop}`)).toMatchObject([{ rule: 'column-dropped' }]);
    expect(await checkMigration('-- allow renamed: nothing reads it since 0.2.0\nselect 1')).toEqual([{ rule: 'allows-nothing', line: 1 }]);
  });
});
