import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { LOCAL, ROOT } from '../infrastructure/folders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { missing, PYTHON } from './languages.ts';

const SDK = join(ROOT, 'sdks/python');
const python = PYTHON.find();
const describeHere = python === undefined ? describe.skip : describe;

/** What the program printed, whether it passed or not. */
const printed = async (given: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  promisify(execFile)(python ?? '', [...given], {
    cwd: SDK,
    env: { ...process.env, ...env, PYTHONPATH: join(SDK, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
  }).then(
    ({ stdout }) => stdout,
    (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
  );

it('finds Python', () => {
  if (python === undefined) process.stderr.write(`${missing(PYTHON)}\n`);
  expect(process.env['CI'] === 'true' ? python : 'python').toBeDefined();
});

it('has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describeHere.each([python ?? 'none'])('the SDK for %s', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('console');
  });
  afterAll(() => database.drop());

  it('does what every SDK does, receives callbacks in each framework and stores them in SQLite and PostgreSQL', async () => {
    const options = ['-q', '--tb=short', '-p', 'no:cacheprovider', '-W', 'ignore'];
    expect(await printed(['-m', 'pytest', ...options, 'tests'], { DATABASE_URL: database.adminUrl })).toMatch(
      /^\d+ passed in [\d.]+s(?: \([\d:]+\))?$/m,
    );
  });

  it('has types that hold, and that find a float as an amount, an unknown member of a request and one of an event', async () => {
    const found = await printed(['-m', 'mypy', '--cache-dir', join(LOCAL, 'mypy'), 'src/pay_sdk', 'tests/typed.py']);
    const errors = found.split('\n').filter((line) => line.includes(': error: '));
    expect(errors).toEqual([
      expect.stringMatching(/^tests\/typed\.py:\d+: error: .*"float", TypedDict item "amount"/),
      expect.stringMatching(/^tests\/typed\.py:\d+: error: Extra key "orderId"/),
      expect.stringMatching(/^tests\/typed\.py:\d+: error: TypedDict "PaymentCompletedEventData" has no key "failureCode"/),
    ]);
  });
});
