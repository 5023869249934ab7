import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { missing, PHP } from './languages.ts';

const SDK = join(ROOT, 'sdks/php');
const php = PHP.find();
const describeHere = php === undefined ? describe.skip : describe;

it('finds PHP', () => {
  if (php === undefined) process.stderr.write(`${missing(PHP)}\n`);
  expect(process.env['CI'] === 'true' ? php : 'php').toBeDefined();
});

it('the SDK for PHP has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describeHere.each([php ?? 'none'])('the SDK for %s', (program) => {
  it('does what every SDK does, receives callbacks and stores them in SQLite', async () => {
    const { stdout } = await promisify(execFile)(program, [join(SDK, 'tests/run.php')]).catch((error: unknown) =>
      z.object({ stdout: z.string() }).parse(error),
    );
    expect(stdout).toMatch(/^\d+ passed\n$/);
  });
});
