import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { GO_SDK, runGo } from './go.ts';
import { GO, missing } from './languages.ts';

const found = GO.find();

it('finds Go', () => {
  if (found === undefined) process.stderr.write(`${missing(GO)}\n`);
  expect(process.env['CI'] === 'true' ? found : 'go').toBeDefined();
});

it('the SDK for Go has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(GO_SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describe.each(found === undefined ? [] : [found])('the SDK for %s', (go) => {
  it('is formatted as gofmt does, and go vet finds nothing', async () => {
    expect(await runGo(go.replace(/go$/, 'gofmt'), ['-l', '.'])).toBe('');
    expect(await runGo(go, ['vet', '.'])).toBe('');
    expect(await runGo(go, ['vet', 'build.go'])).toBe('');
  });

  it('does what every SDK does, keeps every amount and receives callbacks', async () => {
    expect(await runGo(go, ['test', '-count=1', '-vet=off', '.'])).toMatch(/^ok {2}\tpay\.example\/pay\t[\d.]+s\n$/);
  });
});
