import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { JAVA, JAVA_JARS, missing, SHORT_JAVAC, SHORT_JVM } from './languages.ts';

const SDK = join(ROOT, 'sdks/java');
const java = JAVA.find();
const describeHere = java === undefined ? describe.skip : describe;
const run = promisify(execFile);

it('finds Java', () => {
  if (java === undefined) process.stderr.write(`${missing(JAVA)}\n`);
  expect(process.env['CI'] === 'true' ? java : 'java').toBeDefined();
});

it('the SDK for Java has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describeHere.each([java ?? 'none'])('the SDK for %s', (program) => {
  let folder = '';
  let jar = '';
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'java-sdk-'));
    // A warning of the compiler or of the comments fails here.
    jar = (await run(program, [...SHORT_JVM, join(SDK, 'Build.java'), folder], { cwd: ROOT })).stdout.trim();
    database = await createTestDatabase('console');
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('does what every SDK does, receives callbacks, behind Spring too, and stores them in PostgreSQL', async () => {
    const tests = join(SDK, 'tests/pay/sdk');
    const sources = (await readdir(tests)).map((name) => join(tests, name));
    const jars = [jar, ...JAVA_JARS].join(delimiter);
    // Without `path`: a jar of Debian names others that are not installed.
    const strict = ['-Xlint:all,-path', '-Werror', '-proc:none'];
    await run('javac', [...SHORT_JAVAC, ...strict, '-cp', jars, '-d', join(folder, 'tests'), ...sources]);
    const { hostname, port, pathname, username, password } = new URL(database.adminUrl);
    const query = new URLSearchParams({ user: decodeURIComponent(username), password: decodeURIComponent(password) });
    const properties = {
      repository: ROOT,
      database: `jdbc:postgresql://${hostname}:${port}${pathname}?${query.toString()}`,
      folder,
    };
    const defined = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
    const { stdout } = await run(program, [
      ...SHORT_JVM,
      ...defined,
      '-cp',
      [join(folder, 'tests'), jars].join(delimiter),
      'pay.sdk.Run',
    ]).catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
    expect(stdout).toMatch(/^\d+ passed\n$/);
  });
});
