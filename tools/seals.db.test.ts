import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { openDatabase, type Database } from '../packages/shared/src/postgres/connect/pool.ts';
import { createLog } from '../packages/shared/src/logging/logger.ts';
import { sealLoop } from '../packages/shared/src/seals/seal-loop.ts';
import { CliFault } from '../packages/cli/src/fault.ts';
import { createProgram } from '../packages/cli/src/whole-program.ts';
import { runCli } from '../packages/cli/test/run-cli.ts';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from './testing/database.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const log = createLog('withdrawals', 'silent');
let database: TestDatabase;
/** Connected as the service is: with its own role. */
let service: Database;
let admin: pg.Client;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
  service = openDatabase({ url: database.url, applicationName: 'seals-test', onIdleError: () => undefined });
  admin = new pg.Client({ connectionString: database.adminUrl, options: '-c search_path=withdrawals' });
  await admin.connect();
  folder = mkdtempSync(join(tmpdir(), 'heads-'));
});
afterEach(async () => {
  await admin.end();
  await service.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const newLoop = () => sealLoop(service.db, log, 'withdrawals', { SEAL_HEADS_FOLDER: folder, SEAL_SIGNING_KEY: privateKey });

/** As many rounds as a seal takes: the rows, the horizon behind them, the seal. */
async function seal(loop = newLoop()): Promise<void> {
  for (let round = 0; round < 3; round += 1) while ((await loop.round(new AbortController().signal)) === 'more');
}

/** Repeats until every row is sealed: transactions of other tests on this server hold the horizon back. */
async function sealAll(loop = newLoop()): Promise<void> {
  for (let open = 1; open > 0;) {
    await seal(loop);
    const { rows } = await admin.query<{ open: number }>(`select
      ((select count(*) from ledger_entries) + (select count(*) from operator_audit)
        - (select coalesce(sum(cardinality(positions)), 0) from seals))::int as open`);
    open = rows[0]?.open ?? 0;
  }
}

const AUDIT_ROWS = `insert into operator_audit (operator, action, subject_id, partner_id, after)
  select 'olga', 'withdrawals.take', 's' || n, 'p', '{"status": "TAKEN"}' from generate_series(1, $1::int) as n`;
const BOOKING = `with booked as (
    insert into ledger_transactions (ledger_transaction_id, kind, reference_id)
    values ($1, 'FUNDED', gen_random_uuid()) returning ledger_transaction_id)
  insert into ledger_entries (ledger_transaction_id, store_id, account, amount_micro_usdt)
  select ledger_transaction_id, 'store-1', account, amount from booked, (values ('FUNDING', -5), ('AVAILABLE', 5)) as e (account, amount)`;

async function givenSealedRows(): Promise<void> {
  await admin.query(`insert into stores values ('store-1', 'p', 'Tea')`);
  await service.pool.query(AUDIT_ROWS, [5]);
  for (let n = 1; n <= 3; n += 1) await service.pool.query(BOOKING, [`00000000-0000-4000-8000-00000000000${String(n)}`]);
}

type Report = { readonly status: number | null; readonly breaches: unknown };
const commandLine = (args: readonly string[]) => ['operator', 'audit', 'verify', '--json', '--database', database.adminUrl, ...args];

/** The command's report and its exit status, without a process for each. */
async function verify(...args: string[]): Promise<Report> {
  const printing = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await createProgram().parseAsync(commandLine(args), { from: 'user' });
    return SOUND;
  } catch (error) {
    if (!(error instanceof CliFault)) throw error;
    return { status: error.exitCode, breaches: (error.json as { breaches?: unknown }).breaches };
  } finally {
    printing.mockRestore();
  }
}

/** The same from a process of its own, as an operator starts it. */
async function verifyAsCommand(): Promise<Report> {
  const { exitCode, stdout, stderr } = await runCli(commandLine([]));
  const said = JSON.parse(stdout === '' ? stderr : stdout) as { breaches?: unknown };
  return { status: exitCode, breaches: said.breaches };
}

/** As a superuser who disables every trigger. */
async function tamper(statement: string): Promise<void> {
  await admin.query(`set session_replication_role = replica; ${statement}; set session_replication_role = origin`);
}

const breach = (trail: string, problem: string) => ({
  status: 1,
  breaches: [{ schema: 'withdrawals', trail, problem }],
});
const SOUND = { status: 0, breaches: undefined };

describe('pay operator audit verify (M1)', () => {
  it.each([
    ['changed', `update operator_audit set operator = 'ivan' where position = 3`, 'operator_audit', 'row 3 was changed'],
    [
      'changed in one character of its jsonb',
      `update operator_audit set after = '{"status": "TAKEM"}' where position = 2`,
      'operator_audit',
      'row 2 was changed',
    ],
    ['removed', 'delete from operator_audit where position = 4', 'operator_audit', 'row 4 was removed'],
    ['removed at the end', 'delete from operator_audit where position = 5', 'operator_audit', 'row 5 was removed'],
    ['an amount', 'update ledger_entries set amount_micro_usdt = 7 where position = 4', 'ledger_entries', 'row 4 was changed'],
    [
      'the kind of a booking',
      `update ledger_transactions set kind = 'RELEASED' where ledger_transaction_id = '00000000-0000-4000-8000-000000000002'`,
      'ledger_entries',
      'row 3 was changed',
    ],
    [
      'a seal',
      `update seals set digests = set_byte(digests, 0, 7) where trail = 'operator_audit'`,
      'operator_audit',
      'seal 1 (rows 1 to 5) was changed',
    ],
  ])('names what was done behind the triggers: %s', async (_title, statement, trail, problem) => {
    await givenSealedRows();
    await sealAll();
    expect(await verify()).toEqual(SOUND);
    await tamper(statement);
    expect(await verify()).toEqual(breach(trail, problem));
  });

  it('names a row that was put among sealed ones', async () => {
    await service.pool.query(AUDIT_ROWS, [2]);
    await admin.query(`select setval('operator_audit_position_seq', 10)`);
    await service.pool.query(AUDIT_ROWS, [2]);
    await sealAll();
    await tamper(`insert into operator_audit (position, operator, action, subject_id, partner_id, after)
      values (7, 'olga', 'withdrawals.approve', 's', 'p', '{}')`);
    expect(await verify()).toEqual(breach('operator_audit', 'row 7 was inserted among sealed ones'));
  });

  it('a table that was rewritten with all its seals is betrayed by a head that was written before', async () => {
    await givenSealedRows();
    await sealAll();
    const key = join(folder, 'key.pem');
    writeFileSync(key, publicKey.export({ format: 'pem', type: 'spki' }));
    expect(await verify('--heads', folder, '--public-key', key)).toEqual(SOUND);
    await tamper(`update operator_audit set operator = 'ivan' where position = 3; delete from seals where trail = 'operator_audit'`);
    await sealAll();
    expect(await verify()).toEqual(SOUND);
    const { status, breaches } = await verify('--heads', folder);
    expect([status, JSON.stringify(breaches)]).toEqual([
      1,
      expect.stringMatching(/seal 1, whose head was written at .*, is another one now: rows and seals were rewritten/),
    ]);
    // A head that somebody else wrote is not accepted.
    const file = join(folder, 'withdrawals-heads.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"at":"\d{4}/g, '"at":"1999'));
    expect(await verify('--heads', folder, '--public-key', key)).toMatchObject({ status: 1 });
  });

  it('a column that a later migration adds changes no seal', async () => {
    await givenSealedRows();
    await sealAll();
    await tamper(`alter table operator_audit add column colour text not null default 'red'`);
    await service.pool.query(AUDIT_ROWS, [2]);
    await sealAll();
    expect(await verify()).toEqual(SOUND);
    expect(await verifyAsCommand()).toEqual(SOUND);
    await tamper(`update operator_audit set colour = 'blue' where position = 6`);
    expect(await verify()).toEqual(breach('operator_audit', 'row 6 was changed'));
    expect(await verifyAsCommand()).toEqual(breach('operator_audit', 'row 6 was changed'));
  });
});

it('a booking that is under way while later ones are committed is waited for, and sealed in its place (M1)', async () => {
  await admin.query(`insert into stores values ('store-1', 'p', 'Tea')`);
  const slow = new pg.Client({ connectionString: database.url });
  await slow.connect();
  await slow.query('begin');
  await slow.query(BOOKING, ['00000000-0000-4000-8000-000000000001']);
  await service.pool.query(BOOKING, ['00000000-0000-4000-8000-000000000002']);
  const loop = newLoop();
  const sealed = async () =>
    (await admin.query<{ positions: string[] }>(`select positions::text[] as positions from seals order by number`)).rows;
  await seal(loop);
  await seal(loop);
  expect(await sealed()).toEqual([]);
  await slow.query('commit');
  await slow.end();
  await sealAll(loop);
  expect(await sealed()).toEqual([{ positions: ['1', '2', '3', '4'] }]);
  expect(await verify()).toEqual(SOUND);
});

it('two replicas that seal at once make one chain, of more rows than one seal takes (M1)', async () => {
  await service.pool.query(AUDIT_ROWS, [2_500]);
  const [first, second] = [newLoop(), newLoop()];
  await Promise.all([sealAll(first), sealAll(second)]);
  const { rows } = await admin.query<{ rows: number }>('select cardinality(positions) as rows from seals order by number');
  expect(rows.map((row) => row.rows)).toEqual([1_000, 1_000, 500]);
  expect(await verify()).toEqual(SOUND);
});
