import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { sdkGo } from './sdk-go.ts';
import { sdkJava } from './sdk-java.ts';
import { sdkPhp } from './sdk-php.ts';
import { sdkPython } from './sdk-python.ts';
import { sdkTypes } from './sdk-types.ts';

const made = sdkTypes();
const read = (name: string) => readFileSync(new URL(`../../sdk/src/${name}.ts`, import.meta.url), 'utf8');

it("the SDK's records are the contract's; `node packages/contract/src/write-sdk-types.ts` writes them", () => {
  expect({ types: read('types'), events: read('events') }).toEqual(made);
});

it("the Python SDK's records and calls are the contract's; the same program writes them", () => {
  const python = (name: string) => readFileSync(new URL(`../../../sdks/python/src/pay_sdk/${name}.py`, import.meta.url), 'utf8'); // prettier-ignore
  expect({ records: python('records'), calls: python('calls') }).toEqual(sdkPython());
});

it("the PHP SDK's calls are the contract's; the same program writes them", () => {
  expect(readFileSync(new URL('../../../sdks/php/src/Calls.php', import.meta.url), 'utf8')).toBe(sdkPhp());
});

it("the Go SDK's records, events and calls are the contract's; the same program writes them", () => {
  const go = (name: string) => readFileSync(new URL(`../../../sdks/go/${name}.go`, import.meta.url), 'utf8');
  expect({ records: go('records'), events: go('events'), calls: go('calls') }).toEqual(sdkGo());
});

it("the Java SDK's records, events and calls are the contract's; the same program writes them", () => {
  const java = (name: string) => readFileSync(new URL(`../../../sdks/java/src/pay/sdk/${name}.java`, import.meta.url), 'utf8'); // prettier-ignore
  expect({ Records: java('Records'), PartnerEvent: java('PartnerEvent'), Calls: java('Calls') }).toEqual(sdkJava());
});

it('every amount is text: the only numbers count something', () => {
  const numbers = [...`${made.types}${made.events}`.matchAll(/readonly (\w+)\??: number\b/g)].map(([, name]) => name);
  expect([...new Set(numbers)].sort()).toEqual(['aggregateVersion', 'attemptCount', 'durationMs', 'httpStatus', 'limit', 'line', 'lines', 'number', 'part', 'parts']); // prettier-ignore
});

it('evidence of a consent comes all together or not at all', () => {
  const [, alone = '', merchant = ''] =
    /export type RecurringConsent = \{(.*?)\} \| \{(.*?)\n\};/s.exec(made.types) ?? [];
  expect(alone).not.toMatch(/capture|reference|version|acceptedAt|evidenceHash/);
  expect(merchant).toMatch(/readonly capture: 'MERCHANT';/);
  expect(merchant).not.toContain('?:');
});
