import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chargePeriod } from '@pay/contract/fields.ts';
import { CHARGE_PERIODS, type ChargePeriod } from '@pay/contract/states.ts';
import { periods } from '../../test/periods.ts';
import { firstSchedule, scheduleAfter, type Charged, type Schedule } from './charge-period.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const atOnce = (at: Date): Charged => ({ acceptedAt: at, confirmedAt: at });

/** The schedule after charges that were accepted and confirmed at these moments. */
function after(period: ChargePeriod, charged: readonly Date[]): Schedule {
  const [first = new Date(Number.NaN), ...later] = charged;
  return later.reduce<Schedule>((before, at) => scheduleAfter(before, atOnce(at), period), firstSchedule(first, period));
}

/** The rule as a person with a calendar would follow it: day by day. Slow and obvious. */
function byCalendar(period: ChargePeriod, charged: readonly Charged[]): { next: Date; day: number } {
  let [day, next] = [0, new Date(Number.NaN)];
  for (const { acceptedAt, confirmedAt } of charged) {
    const isDueDate = acceptedAt.toISOString().slice(0, 10) === (Number.isNaN(next.getTime()) ? '' : next.toISOString().slice(0, 10));
    if (!isDueDate) day = acceptedAt.getUTCDate();
    next = dayByDay(period, confirmedAt, day, acceptedAt);
    if (next <= confirmedAt) next = dayByDay(period, confirmedAt, day, confirmedAt);
  }
  return { next, day };
}

function dayByDay(period: ChargePeriod, confirmed: Date, day: number, month: Date): Date {
  const fixed = { PT1M: 60_000, PT1H: HOUR, P1D: DAY, P1W: 7 * DAY };
  if (period !== 'P1M' && period !== 'P1Y') return new Date(confirmed.getTime() + fixed[period]);
  const months = period === 'P1M' ? 1 : 12;
  const wanted = month.getUTCFullYear() * 12 + month.getUTCMonth() + months;
  const midnight = (moment: Date) => moment.getTime() - (moment.getTime() % DAY);
  const from = new Date(midnight(month) + (confirmed.getTime() % DAY));
  for (let at = new Date(from.getTime() + DAY); ; at = new Date(at.getTime() + DAY)) {
    const isMonth = at.getUTCFullYear() * 12 + at.getUTCMonth() === wanted;
    const isLast = new Date(at.getTime() + DAY).getUTCDate() === 1;
    if (isMonth && (at.getUTCDate() === day || isLast)) return at;
  }
}

describe('charge periods', () => {
  it.each(periods.cases)('vectors: $period after $charged: $next (F06 F07)', ({ period, charged, next }) => {
    expect(
      after(
        period,
        charged.map((text) => new Date(text)),
      ).nextChargeAt.toISOString(),
    ).toBe(next);
  });

  it.each([
    [
      '31 Jan, charged on each due date: the 31st comes back (F06)',
      'P1M',
      '2026-01-31',
      ['2026-02-28', '2026-03-31', '2026-04-30'],
      '2026-05-31',
    ],
    ['in a leap year (F06)', 'P1M', '2028-01-31', ['2028-02-29'], '2028-03-31'],
    ['30 Jan: March has its 30th (F06)', 'P1M', '2026-01-30', ['2026-02-28'], '2026-03-30'],
    ['a day late sets the anchor to its own day', 'P1M', '2026-01-31', ['2026-03-01'], '2026-04-01'],
    [
      '29 Feb, charged on each due date: the 29th comes back (F07)',
      'P1Y',
      '2028-02-29',
      ['2029-02-28', '2030-02-28', '2031-02-28'],
      '2032-02-29',
    ],
    ['a day late (F07)', 'P1Y', '2028-02-29', ['2029-03-01'], '2030-03-01'],
  ] as const)('%s', (_name, period, first, later, next) => {
    const at = (date: string) => new Date(`${date}T10:00:00.000Z`);
    expect(after(period, [first, ...later].map(at)).nextChargeAt).toEqual(at(next));
  });

  it.each([
    [
      'due 28 Feb, confirmed 1 Mar: keeps the 31st',
      'P1M',
      '2026-01-31',
      '2026-02-28T23:59:58.000Z',
      '2026-03-01T00:00:03.000Z',
      '2026-03-31T00:00:03.000Z',
      31,
    ],
    [
      'due 30 Apr, confirmed in May: keeps the 31st',
      'P1M',
      '2026-03-31',
      '2026-04-30T12:00:00.000Z',
      '2026-05-03T12:00:00.000Z',
      '2026-05-31T12:00:00.000Z',
      31,
    ],
    [
      'over the turn of the year',
      'P1M',
      '2025-11-30',
      '2025-12-30T23:59:59.000Z',
      '2026-01-02T08:00:00.000Z',
      '2026-01-30T08:00:00.000Z',
      30,
    ],
    [
      'accepted later than due: the day of the acceptance',
      'P1M',
      '2026-01-31',
      '2026-03-05T23:59:59.000Z',
      '2026-03-06T00:00:01.000Z',
      '2026-04-05T00:00:01.000Z',
      5,
    ],
    [
      'confirmed when the next one was due: counted from its confirmation',
      'P1M',
      '2026-01-15',
      '2026-02-15T10:00:00.000Z',
      '2026-03-15T10:00:00.000Z',
      '2026-04-15T10:00:00.000Z',
      15,
    ],
    ['a year', 'P1Y', '2024-02-29', '2025-02-28T23:59:59.000Z', '2025-03-01T00:00:00.000Z', '2026-02-28T00:00:00.000Z', 29],
    [
      'an hour runs from the confirmation',
      'PT1H',
      '2026-01-31',
      '2026-02-28T23:59:58.000Z',
      '2026-03-01T00:00:03.000Z',
      '2026-03-01T01:00:03.000Z',
      28,
    ],
  ] as const)(
    '19.11: the acceptance says the day, however late it is confirmed: %s',
    (_name, period, first, accepted, confirmed, next, anchorDay) => {
      const charged = { acceptedAt: new Date(accepted), confirmedAt: new Date(confirmed) };
      const schedule = scheduleAfter(firstSchedule(new Date(`${first}T10:00:00.000Z`), period), charged, period);
      expect(schedule).toEqual({ lastChargedAt: charged.confirmedAt, nextChargeAt: new Date(next), anchorDay });
    },
  );

  it('property: whatever is charged when, the schedule is what a calendar says, later, and the database takes it', () => {
    const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    // Most charges come on the due date or soon after; some much later.
    const delay = fc.oneof(fc.constant(0), fc.nat(36 * HOUR), fc.nat(400 * DAY));
    fc.assert(
      fc.property(
        fc.constantFrom(...CHARGE_PERIODS),
        moment,
        fc.array(fc.tuple(delay, delay), { maxLength: 14 }),
        (period, first, delays) => {
          let schedule = firstSchedule(first, period);
          const charged = [atOnce(first)];
          for (const [late, slow] of delays) {
            const acceptedAt = new Date(schedule.nextChargeAt.getTime() + late);
            const one = { acceptedAt, confirmedAt: new Date(acceptedAt.getTime() + slow) };
            charged.push(one);
            schedule = scheduleAfter(schedule, one, period);
          }
          const { next, day } = byCalendar(period, charged);
          expect(schedule).toEqual({ lastChargedAt: charged.at(-1)?.confirmedAt, nextChargeAt: next, anchorDay: day });
          expect(next.getTime()).toBeGreaterThan(schedule.lastChargedAt.getTime());
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each(['UTC', 'America/New_York', 'Europe/Moscow', 'Pacific/Kiritimati'])(
    'the zone of the server changes nothing: %s, in the night of a change of clocks (F08)',
    (TZ) => {
      const module = JSON.stringify(new URL('./charge-period.ts', import.meta.url).href);
      const script = `import { firstSchedule } from ${module};
        for (const at of ['2026-03-08T06:59:59.999Z', '2026-10-31T23:30:00.000Z', '2026-01-31T22:00:00.000Z'])
          for (const period of ['P1D', 'P1M', 'P1Y']) console.log(firstSchedule(new Date(at), period).nextChargeAt.toISOString());`;
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { TZ } }).toString();
      expect(output.trim().split('\n')).toEqual([
        '2026-03-09T06:59:59.999Z',
        '2026-04-08T06:59:59.999Z',
        '2027-03-08T06:59:59.999Z',
        '2026-11-01T23:30:00.000Z',
        '2026-11-30T23:30:00.000Z',
        '2027-10-31T23:30:00.000Z',
        '2026-02-01T22:00:00.000Z',
        '2026-02-28T22:00:00.000Z',
        '2027-01-31T22:00:00.000Z',
      ]);
    },
  );

  it.each(['p1m', 'P30D', 'PT60S', 'P1M ', 'P1MT', '', 'P2M'])('%j is no charge period (F09)', (text) => {
    expect(chargePeriod.safeParse(text).success).toBe(false);
  });
});
