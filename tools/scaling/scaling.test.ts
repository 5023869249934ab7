import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';

const page = readFileSync(join(ROOT, 'docs/operate/scaling.md'), 'utf8');
const benchmarks = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
const cellsOf = (begins: string): readonly string[] => {
  const found = rows.filter(([name]) => name?.startsWith(begins) === true);
  if (found.length !== 1) throw new Error(`docs/operate/scaling.md has ${String(found.length)} rows that begin with: ${begins}`);
  return found[0]?.slice(1) ?? [];
};
const value = (begins: string): number => Number.parseFloat(cellsOf(begins)[0] ?? '');
const bytes = (...tables: readonly string[]) => tables.reduce((sum, table) => sum + value(`\`${table}\``), 0);
const whole = (numbers: readonly number[]) => numbers.map((one) => String(Math.round(one)));

const FOREVER = bytes('payments.payments', 'payments.ledger_entries', 'payments.ledger_transactions');
const MONTH = bytes('notifier.events', 'payments.idempotency_records', 'notifier.attempts', 'notifier.inbox');
const DAY_S = 86_400;
const peaks = cellsOf('payments/s at the peak').map(Number);
const perDay = (peak: number) => (peak / value('peak ÷ average')) * DAY_S;
const coreSeconds = 2 / value('lives of a payment');
const busy = (peak: number) => peak * coreSeconds;
const ofPostgres = value('of its processor time, PostgreSQL') / 100;
const ofRabbit = value('of its processor time, RabbitMQ') / 100;
const spare = value('provisioned ÷ busy');
const copies = value('copies of the database');
const services = (peak: number) => busy(peak) * (1 - ofPostgres - ofRabbit) * spare;
const databases = (peak: number) => busy(peak) * ofPostgres * spare * copies;
const perYear = (peak: number) => (perDay(peak) * 365 * FOREVER) / 1e9;
const afterYear = (peak: number) => {
  const days = 30 * MONTH + 365 * bytes('notifier.aggregates') + 7 * bytes('payments.published');
  return perYear(peak) + (perDay(peak) * days) / 1e9;
};

it('computes what its tables say', () => {
  expect(peaks).toEqual([1, 10, 100, 1000]);
  expect({
    thousands: cellsOf('payments per day'),
    busy: cellsOf('busy cores'),
    services: cellsOf('vCPU of services'),
    databases: cellsOf('vCPU of databases'),
    log: cellsOf('log at the peak'),
    perYear: cellsOf('disk that stays'),
    afterYear: cellsOf('disk after a year'),
  }).toEqual({
    thousands: whole(peaks.map((peak) => perDay(peak) / 1_000)),
    busy: whole(peaks.map(busy)),
    services: whole(peaks.map(services)),
    databases: whole(peaks.map(databases)),
    log: whole(peaks.map((peak) => (peak * value('log (WAL)')) / 1_000)),
    perYear: whole(peaks.map(perYear)),
    afterYear: whole(peaks.map(afterYear)),
  });
  // Events, idempotency records and two inboxes.
  expect(cellsOf('rows deleted')).toEqual(whole(peaks.map((peak) => (4 * perDay(peak)) / DAY_S)));
});

it('adds up what a thousand payments per second cost', () => {
  const computed = (begins: string) => Number(cellsOf(begins).at(-1));
  const vcpu = value('a vCPU of services');
  const parts = [
    computed('vCPU of services') * vcpu,
    computed('vCPU of databases') * value('a vCPU of a managed database'),
    value('vCPU of the broker') * vcpu,
    Math.round(computed('disk after a year') * copies * value('a GB of its disk')),
  ];
  const dollars = (amount: number) => amount.toLocaleString('en-US');
  const [forServices, forDatabase, forBroker, forDisk] = parts.map(dollars);
  expect(page).toContain(
    `cost **${dollars(parts.reduce((sum, one) => sum + one, 0))} USD a month** after a year: ${String(forServices)} for services, ${String(forDatabase)} for the processors of the database, ${String(forBroker)} for the broker, ${String(forDisk)} for disk`,
  );
});

it('takes what it can from the benchmarks', () => {
  expect(benchmarks).toMatch(
    new RegExp(`^\\| \`lifecycle\` \\| lives per second, at saturation +\\| ≥ 130 +\\| ${String(value('lives of a payment'))} to `, 'm'),
  );
  expect(benchmarks).toContain(`\`callbacks\` | ${String(value('facts per second'))} facts per second`);
  expect(benchmarks).toMatch(/backlog, deliveries per second +\| ≥ 1,500 +\| 3,710 to/);
});
