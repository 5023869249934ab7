import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  compareSides,
  daysDue,
  exceptionKindOf,
  movedKopecks,
  type OurOperation,
  type Pair,
  type RegisterEntry,
} from './reconciliation.ts';

const ours: OurOperation = {
  operationId: 'a',
  kind: 'PAYMENT',
  paymentId: 'a',
  bankOperationId: 'b',
  status: 'COMPLETED',
  money: 'moved',
  amountKopecks: 1_050n,
  isFollowedUp: false,
};
const bank: RegisterEntry = {
  operationId: 'a',
  bankOperationId: 'b',
  kind: 'PAYMENT',
  status: 'APPROVED',
  money: 'moved',
  amountKopecks: 1_050n,
  currency: 'RUB',
  originalOperationId: null,
};

describe('one operation on both sides', () => {
  it.each<[string, Partial<OurOperation>, Partial<RegisterEntry>, string]>([
    ['both moved the same', {}, {}, 'MATCHED'],
    ['a kopeck more at the bank', {}, { amountKopecks: 1_051n }, 'DIFFERENT_AMOUNT'],
    ['a kopeck less at the bank', {}, { amountKopecks: 1_049n }, 'DIFFERENT_AMOUNT'],
    ['another currency', {}, { currency: 'USD' }, 'DIFFERENT_AMOUNT'],
    ['no money on either side', { money: 'none' }, { money: 'none' }, 'MATCHED'],
    ['no money on either side, whatever the amount', { money: 'none' }, { money: 'none', amountKopecks: 1n }, 'MATCHED'],
    ['late success that nobody booked', { money: 'none' }, {}, 'DIFFERENT_STATE'],
    ['booked, and the bank took nothing', {}, { money: 'none' }, 'DIFFERENT_STATE'],
    ['booked, and the bank has not decided', {}, { money: 'open' }, 'DIFFERENT_STATE'],
    ['both open', { money: 'open' }, { money: 'open' }, 'IN_PROGRESS'],
    ['ended here, open there: it may yet come', { money: 'none' }, { money: 'open' }, 'IN_PROGRESS'],
    ['open here, moved there, and the worker will ask', { money: 'open', isFollowedUp: true }, {}, 'IN_PROGRESS'],
    ['open here, moved there, and nobody asks', { money: 'open' }, {}, 'DIFFERENT_STATE'],
    ['open here, another amount moved there', { money: 'open', isFollowedUp: true }, { amountKopecks: 1n }, 'DIFFERENT_AMOUNT'],
    ['open here, nothing there, and nobody asks', { money: 'open' }, { money: 'none' }, 'DIFFERENT_STATE'],
    ['a payment here, a refund there', {}, { kind: 'REFUND' }, 'DIFFERENT_STATE'],
    ['a return is a refund to the bank', { kind: 'RETURN' }, { kind: 'REFUND' }, 'MATCHED'],
  ])('%s', (_title, ourChange, bankChange, expected) => {
    expect(compareSides({ ours: { ...ours, ...ourChange }, bank: { ...bank, ...bankChange } })).toBe(expected);
  });

  it('one side only', () => {
    expect(compareSides({ ours: undefined, bank })).toBe('MISSING_HERE');
    expect(compareSides({ ours, bank: undefined })).toBe('MISSING_THERE');
  });
});

const money = fc.constantFrom('moved' as const, 'open' as const, 'none' as const);
const amount = fc.bigInt({ min: 1n, max: 100_000_000n });
const anyOurs: fc.Arbitrary<OurOperation> = fc.record({
  operationId: fc.constant('a'),
  kind: fc.constantFrom('PAYMENT' as const, 'REFUND' as const, 'RETURN' as const),
  paymentId: fc.constant('a'),
  bankOperationId: fc.constant('b'),
  status: fc.constant('X'),
  money,
  amountKopecks: amount,
  isFollowedUp: fc.boolean(),
});
const anyBank: fc.Arbitrary<RegisterEntry> = fc.record({
  operationId: fc.constant('a'),
  bankOperationId: fc.constant('b'),
  kind: fc.constantFrom('PAYMENT' as const, 'REFUND' as const),
  status: fc.constant('X'),
  money,
  amountKopecks: amount,
  currency: fc.constantFrom('RUB', 'USD'),
  originalOperationId: fc.constant(null),
});
const anyPair: fc.Arbitrary<Pair> = fc.oneof(
  fc.record({ ours: anyOurs, bank: anyBank }),
  // Like sides are rare by chance, and what counts.
  anyOurs.map((one): Pair => ({
    ours: one,
    bank: {
      ...bank,
      kind: one.kind === 'PAYMENT' ? 'PAYMENT' : 'REFUND',
      money: one.money,
      amountKopecks: one.amountKopecks,
    },
  })),
  fc.record({ ours: fc.constant(undefined), bank: anyBank }),
  fc.record({ ours: anyOurs, bank: fc.constant(undefined) }),
);

describe('any day', () => {
  it('what matches moved the same money on both sides', () => {
    fc.assert(
      fc.property(anyPair, (pair) => {
        const isMatched = compareSides(pair) === 'MATCHED';
        expect(isMatched && movedKopecks(pair.bank) !== movedKopecks(pair.ours)).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  it('totals that differ are explained, to the kopeck, by operations that do not match', () => {
    fc.assert(
      fc.property(fc.array(anyPair, { maxLength: 30 }), (pairs) => {
        const sum = (sides: readonly (OurOperation | RegisterEntry | undefined)[]) =>
          sides.reduce((total, side) => total + movedKopecks(side), 0n);
        const difference = sum(pairs.map((pair) => pair.bank)) - sum(pairs.map((pair) => pair.ours));
        const unmatched = pairs.filter((pair) => compareSides(pair) !== 'MATCHED');
        expect(sum(unmatched.map((pair) => pair.bank)) - sum(unmatched.map((pair) => pair.ours))).toBe(difference);
      }),
    );
  });

  it('money that we booked and the bank has not is before a person, whatever else holds', () => {
    fc.assert(
      fc.property(anyPair, (pair) => {
        if (pair.ours?.money !== 'moved' || movedKopecks(pair.ours) === movedKopecks(pair.bank)) return;
        expect(exceptionKindOf(compareSides(pair), pair.ours.kind)).toBeDefined();
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('when a day is compared', () => {
  const at = (text: string) => new Date(text);
  it.each<[string, string, [string, string][], string[]]>([
    [
      'not before an hour after its end',
      '2026-11-21T00:59:59.999Z',
      [
        ['2026-11-14', '2026-11-18T00:00:00Z'],
        ['2026-11-15', '2026-11-19T00:00:00Z'],
        ['2026-11-16', '2026-11-20T00:00:00Z'],
        ['2026-11-17', '2026-11-21T00:00:00Z'],
        ['2026-11-18', '2026-11-19T01:00:00Z'],
        ['2026-11-19', '2026-11-20T01:00:00Z'],
      ],
      [],
    ],
    [
      'an hour after its end',
      '2026-11-21T01:00:00Z',
      [
        ['2026-11-14', '2026-11-18T00:00:00Z'],
        ['2026-11-15', '2026-11-19T00:00:00Z'],
        ['2026-11-16', '2026-11-20T00:00:00Z'],
        ['2026-11-17', '2026-11-21T00:00:00Z'],
        ['2026-11-18', '2026-11-19T01:00:00Z'],
        ['2026-11-19', '2026-11-20T01:00:00Z'],
      ],
      ['2026-11-20'],
    ],
    [
      'a second time three days after its end',
      '2026-11-21T00:30:00Z',
      [
        ['2026-11-14', '2026-11-18T00:00:00Z'],
        ['2026-11-15', '2026-11-19T00:00:00Z'],
        ['2026-11-16', '2026-11-20T00:00:00Z'],
        ['2026-11-17', '2026-11-18T01:00:00Z'],
        ['2026-11-18', '2026-11-19T01:00:00Z'],
        ['2026-11-19', '2026-11-20T01:00:00Z'],
      ],
      ['2026-11-17'],
    ],
    [
      'after an outage, the week',
      '2026-11-21T02:00:00Z',
      [],
      ['2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'],
    ],
  ])('%s', (_title, now, starts, expected) => {
    expect(daysDue(at(now), new Map(starts.map(([day, start]) => [day, at(start)])))).toEqual(expected);
  });

  it('by an operator in the middle of the day: it is compared again when it has ended', () => {
    const starts = new Map(['2026-11-20'].map((day) => [day, at('2026-11-20T12:00:00Z')]));
    expect(daysDue(at('2026-11-21T01:00:00Z'), starts)).toContain('2026-11-20');
  });
});
