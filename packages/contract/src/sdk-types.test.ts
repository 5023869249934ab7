import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { sdkRecords, writeSdkRecords } from './sdk-records.ts';
import { sdkTypes } from './sdk-types.ts';

const made = sdkTypes();
const read = (name: string) => readFileSync(new URL(`../../sdk/src/${name}.ts`, import.meta.url), 'utf8');

it("the SDK's records are the contract's; `node packages/contract/src/write-sdk-types.ts` writes them", () => {
  expect({ types: read('types'), events: read('events') }).toEqual(made);
});

it('the sources of the other SDKs are written whole, and only those that differ', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdks-'));
  const made = sdkRecords();
  for (const path of made.keys()) mkdirSync(join(folder, dirname(path)), { recursive: true });
  const write = () => {
    writeSdkRecords(pathToFileURL(`${folder}/`));
  };
  const inodes = () => [...made.keys()].map((path) => statSync(join(folder, path)).ino);
  write();
  const before = inodes();
  writeFileSync(join(folder, 'go/calls.go'), 'package pay\n');
  write();
  const there = globSync('**/*.*', { cwd: folder });
  expect(new Map(there.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))).toEqual(made);
  const changed = inodes().map((inode, at) => inode !== before[at]);
  expect(changed.filter(Boolean)).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

it('every amount is text: the only numbers count something', () => {
  const numbers = [...`${made.types}${made.events}`.matchAll(/readonly (\w+)\??: number\b/g)].map(([, name]) => name);
  expect([...new Set(numbers)].sort()).toEqual([
    'aggregateVersion',
    'attemptCount',
    'durationMs',
    'httpStatus',
    'limit',
    'line',
    'lines',
    'number',
    'part',
    'parts',
  ]);
});

it('evidence of a consent comes all together or not at all', () => {
  const [, alone = '', merchant = ''] = /export type RecurringConsent = \{(.*?)\} \| \{(.*?)\n\};/s.exec(made.types) ?? [];
  expect(alone).not.toMatch(/capture|reference|version|acceptedAt|evidenceHash/);
  expect(merchant).toMatch(/readonly capture: 'MERCHANT';/);
  expect(merchant).not.toContain('?:');
});
