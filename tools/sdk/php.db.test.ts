import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { GUZZLE, missing, PHP, PHP_POSTGRESQL } from './languages.ts';

const SDK = join(ROOT, 'sdks/php');
const php = PHP.find();
const guzzle = GUZZLE.find();
const describeHere = php === undefined ? describe.skip : describe;

it('finds PHP', () => {
  if (php === undefined) process.stderr.write(`${missing(PHP)}\n`);
  expect(process.env['CI'] === 'true' ? php : 'php').toBeDefined();
});

it.each([GUZZLE, PHP_POSTGRESQL])('finds $name', (language) => {
  const found = language.find();
  if (found === undefined) process.stderr.write(`${missing(language)}\n`);
  expect(process.env['CI'] === 'true' ? found : 'there').toBeDefined();
});

it('the SDK for PHP has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describeHere.each([php ?? 'none'])('the SDK for %s', (program) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('console');
  });
  afterAll(() => database.drop());

  it('does what every SDK does, by PSR-18 too, receives callbacks and stores them in SQLite and PostgreSQL', async () => {
    const { hostname, port, pathname, username, password } = new URL(database.adminUrl);
    const dsn = `pgsql:host=${hostname};port=${port};dbname=${pathname.slice(1)};user=${decodeURIComponent(username)};password=${decodeURIComponent(password)}`;
    const env = { ...process.env, ...(PHP_POSTGRESQL.find() === undefined ? {} : { DATABASE_DSN: dsn }) };
    const tests = [join(SDK, 'tests/run.php'), ...(guzzle === undefined ? [] : [guzzle])];
    const { stdout } = await promisify(execFile)(program, tests, { env }).catch((error: unknown) =>
      z.object({ stdout: z.string() }).parse(error),
    );
    expect(stdout).toMatch(/^\d+ passed\n$/);
  });
});
