import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openMechanisms, type Mechanisms } from '../../test/mechanisms.ts';
import { day, momentInput } from './fields.ts';

let t: Mechanisms;
beforeAll(async () => {
  t = await openMechanisms();
});
afterAll(() => t.close());

const Moment = momentInput('');
const two = (min: number, max: number) => fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'));
const years = fc
  .oneof(fc.constantFrom(0, 1, 2, 9_998, 9_999), fc.integer({ min: 0, max: 9_999 }))
  .map((year) => String(year).padStart(4, '0'));
const days = fc.tuple(years, two(1, 12), two(1, 28)).map((parts) => parts.join('-'));
const edges = fc.constantFrom('0001-01-01', '9999-12-31', '0000-12-31');
const offset = fc.oneof(
  fc.constant('Z'),
  fc.tuple(fc.constantFrom('+', '-'), two(0, 23), two(0, 59)).map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
);
const moments = fc
  .tuple(fc.oneof(days, edges), two(0, 23), two(0, 59), two(0, 59), fc.constantFrom('', '.5', '.999999999'), offset)
  .map(([date, hour, minute, second, fraction, zone]) => `${date}T${hour}:${minute}:${second}${fraction}${zone}`);

describe('what a codec takes, PostgreSQL keeps', () => {
  it('a moment, to its millisecond (K1)', async () => {
    await fc.assert(
      fc.asyncProperty(moments, async (text) => {
        const parsed = Moment.safeParse(text);
        if (!parsed.success) return;
        const [row] = await t.query<{ at: string }>(
          `select to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
          [parsed.data.toISOString()],
        );
        expect([text, row?.at]).toEqual([text, parsed.data.toISOString()]);
      }),
      { numRuns: 500 },
    );
  });

  it('a day (K1)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(days, edges), async (text) => {
        if (!day.safeParse(text).success) return;
        const [row] = await t.query<{ day: string }>(`select to_char($1::date, 'YYYY-MM-DD') as day`, [text]);
        expect(row?.day).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T23:59:00+23:59', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T00:00:59.999-23:59', '9999-12-31T23:59:59.999Z'],
    ['0000-12-31T23:59:00-00:01', '0001-01-01T00:00:00.000Z'],
  ])('the first and the last moment are taken: %s (K1)', (text, at) => {
    expect(Moment.parse(text).toISOString()).toBe(at);
  });

  it.each(['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])(
    'a moment outside is refused after its offset: %s (K1)',
    (text) => {
      expect(Moment.safeParse(text).error?.issues).toMatchObject([{ message: 'must be in the years 0001 to 9999 of UTC' }]);
    },
  );

  it('year 0000 has no day (K1)', () => {
    expect(day.safeParse('0000-01-01').error?.issues).toMatchObject([{ message: 'must be in the years 0001 to 9999' }]);
    expect([day.safeParse('0001-01-01').success, day.safeParse('9999-12-31').success]).toEqual([true, true]);
  });
});
