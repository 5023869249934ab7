import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { warningsMeanwhile } from './meanwhile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meanwhile-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('shows what the services warned of while a test failed, in order, and nothing of before, after or of other tests', () => {
  const at = Date.parse('2026-11-21T12:00:00.000Z');
  const test = (fullName: string, status: string, startAt: number) => ({ fullName, status, startAt, duration: 1_000 });
  const assertionResults = [test('goes well', 'passed', at - 60_000), test('goes wrong', 'failed', at)];
  const result = join(folder, 'result.json');
  writeFileSync(result, JSON.stringify({ testResults: [{ assertionResults }] }));
  const line = (service: string, ms: number, level: string, msg: string, err?: { message: string }) =>
    JSON.stringify({ level, time: new Date(at + ms).toISOString(), service, msg, err });
  const payments = [
    line('payments', -1, 'warn', 'before'),
    line('payments', 500, 'error', 'second', { message: 'ECONNRESET' }),
    line('payments', 600, 'info', 'all is well'),
    line('payments', 1_001, 'warn', 'after'),
    '{"half a li',
  ];
  writeFileSync(join(folder, 'payments-1.log'), payments.join('\n'));
  writeFileSync(join(folder, 'notifier-1.log'), `${line('notifier', 100, 'warn', 'first')}\n`);
  expect(warningsMeanwhile(result, folder)).toBe(
    [
      'Warnings while "goes wrong" ran, 2:',
      '  2026-11-21T12:00:00.100Z notifier: first',
      '  2026-11-21T12:00:00.500Z payments: second (ECONNRESET)',
      '',
    ].join('\n'),
  );
});
