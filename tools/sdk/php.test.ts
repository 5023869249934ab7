import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { GUZZLE, missing, PHP } from './languages.ts';

const SDK = join(ROOT, 'sdks/php');
const php = PHP.find();
const guzzle = GUZZLE.find();
const describeHere = php === undefined ? describe.skip : describe;

it('finds PHP', () => {
  if (php === undefined) process.stderr.write(`${missing(PHP)}\n`);
  expect(process.env['CI'] === 'true' ? php : 'php').toBeDefined();
});

it('finds Guzzle', () => {
  if (guzzle === undefined) process.stderr.write(`${missing(GUZZLE)}\n`);
  expect(process.env['CI'] === 'true' ? guzzle : 'guzzle').toBeDefined();
});

it('the SDK for PHP has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describeHere.each([php ?? 'none'])('the SDK for %s', (program) => {
  it('does what every SDK does, by PSR-18 too, receives callbacks and stores them in SQLite', async () => {
    const tests = [join(SDK, 'tests/run.php'), ...(guzzle === undefined ? [] : [guzzle])];
    const { stdout } = await promisify(execFile)(program, tests).catch((error: unknown) =>
      z.object({ stdout: z.string() }).parse(error),
    );
    expect(stdout).toMatch(/^\d+ passed\n$/);
  });
});
