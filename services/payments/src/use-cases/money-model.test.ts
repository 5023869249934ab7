import { randomInt, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { playHistory, type History } from '../../test/money-model.ts';
import { playRefunds, type RefundHistory } from '../../test/refund-model.ts';
import { HOLDS_MS } from '../domain/acquiring/fence.ts';

const oftenZero = fc.oneof(
  { arbitrary: fc.constant(0), weight: 12 },
  { arbitrary: fc.constantFrom(3_000, 12_000, 20_000, 35_000), weight: 1 },
);
const delay = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 300 }), weight: 8 },
  { arbitrary: fc.integer({ min: 301, max: 9_900 }), weight: 2 },
  { arbitrary: fc.integer({ min: 9_901, max: 45_000 }), weight: 1 },
);
/** What happens to one call on its way, in the order in which calls are made. */
const fate = fc.record({
  there: delay,
  back: delay,
  lost: fc.oneof(
    { arbitrary: fc.constant('nothing'), weight: 5 },
    { arbitrary: fc.constantFrom('request', 'answer', 'page before', 'page after'), weight: 1 },
  ),
  frozenBefore: oftenZero,
  frozenThere: oftenZero,
  frozenAfter: oftenZero,
});
const which = fc.constantFrom(0, 0, 0, 1, 1, 2);
const parts = {
  fates: fc.array(fate, { minLength: 2, maxLength: 30, size: 'max' }),
  /** How often each replica looks at what is due, in milliseconds. */
  looks: fc.tuple(fc.integer({ min: 1_000, max: 8_000 }), fc.integer({ min: 1_000, max: 8_000 })),
  /** When the buyer of a code pays which of those that there are. */
  payments: fc.array(fc.record({ at: fc.integer({ min: 1_000, max: 195_000 }), which }), { maxLength: 5, size: 'max' }),
  /** When the bank tells of one of its payments. */
  notifications: fc.array(fc.record({ at: fc.integer({ min: 1_000, max: 190_000 }), which }), { maxLength: 4 }),
  /** From when on, and how long, the bank's CheckOrder is behind. */
  behind: fc.record({
    from: fc.constantFrom(0, 2_000, 5_000, 20_000, 60_000),
    for: fc.constantFrom(0, 0, 30_000, 60_000, 90_000),
  }),
  withdrawnAt: fc.option(fc.integer({ min: 5_000, max: 150_000 }), { nil: undefined }),
  revokedAt: fc.constant(undefined),
  consentsTake: fc.constant([]),
};
const history: fc.Arbitrary<History> = fc.record({
  ...parts,
  kind: fc.constantFrom('charge', 'qr'),
  revokedAt: fc.option(fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 60_000 })), {
    nil: undefined,
  }),
  consentsTake: fc.array(fc.oneof(fc.integer({ min: 1, max: 249 }), fc.integer({ min: 250, max: 3_000 })), {
    maxLength: 12,
  }),
  presses: fc.constant([]),
  declines: fc.constant([]),
  cardAttempts: fc.constant(1),
  takesWithdrawn: fc.constant(false),
});
const press = fc.record({
  what: fc.constantFrom('SBP', 'card', 'send'),
  at: fc.integer({ min: 1_000, max: 140_000 }),
  loadedBefore: fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 900 }), weight: 3 },
    { arbitrary: fc.integer({ min: 901, max: 30_000 }), weight: 1 },
  ),
  frozen: oftenZero,
});
const oftenFalse = fc.constantFrom(false, false, false, true);
/** A card payment on whose page the buyer goes to SBP and back. */
const pageHistory: fc.Arbitrary<History> = fc.record({
  ...parts,
  kind: fc.constant('page'),
  presses: fc.array(press, { minLength: 2, maxLength: 12, size: 'max' }),
  payments: fc.array(fc.record({ at: fc.integer({ min: 1_000, max: 195_000 }), which }), { maxLength: 2, size: 'max' }),
  declines: fc.array(oftenFalse, { maxLength: 3 }),
  cardAttempts: fc.constantFrom(1, 2, 3),
  takesWithdrawn: oftenFalse,
  withdrawnAt: fc.option(fc.integer({ min: 5_000, max: 150_000 }), { nil: undefined, freq: 1 }),
});

/** More of them find what is rarer: `MONEY_HISTORIES=500000` takes four minutes. */
const HISTORIES = Number(process.env['MONEY_HISTORIES'] ?? 2_000);
/** As `jest.config.js` for every test, and longer for more of them. */
const TIMEOUT_MS = 600_000 + HISTORIES;
/** `npm test` plays the same ones each time. */
const SEED = process.env['MONEY_HISTORIES'] === undefined ? {} : { seed: randomInt(2 ** 31) };
const smooth = { lost: 'nothing', frozenBefore: 0, frozenThere: 0, frozenAfter: 0 };
/**
 * Found by chance: the withdrawal of a lost charge crosses the booking of its repeat and returns booked money. CheckOrder is behind, and
 * later shows a second payment that is still open.
 */
const CROSSED: History = {
  kind: 'charge',
  presses: [],
  declines: [],
  cardAttempts: 1,
  takesWithdrawn: false,
  fates: [
    { ...smooth, there: 6, back: 233 },
    { ...smooth, there: 64, back: 9_139, frozenAfter: 12_000 },
    { ...smooth, there: 146, back: 4_179, frozenBefore: 3_000 },
    { ...smooth, there: 19, back: 6_907, lost: 'answer' },
    { ...smooth, there: 152, back: 288 },
    { ...smooth, there: 8_896, back: 7_336 },
    { ...smooth, there: 147, back: 7 },
    { ...smooth, there: 295, back: 1_025 },
    { ...smooth, there: 39, back: 164, frozenAfter: 20_000 },
    { ...smooth, there: 4, back: 8_899 },
  ],
  looks: [6_651, 2_069],
  payments: [],
  notifications: [{ at: 58_277, which: 0 }],
  behind: { from: 2_000, for: 90_000 },
  withdrawnAt: undefined,
  revokedAt: undefined,
  consentsTake: [],
};

it(
  'property: taken at the bank = booked + returned + in exceptions, and no charge leaves after its revoke was answered, over 2,000 histories of two replicas (S1)',
  async () => {
    const met = { takenTwice: 0, fenced: 0, revoked: 0, late: 0, paid: 0 };
    await fc.assert(
      fc.asyncProperty(history, async (played) => {
        const { takenKopecks, bookedKopecks, suspenseKopecks, givenBackKopecks, chargesLeftAt, facts } = await playHistory(
          randomUUID(),
          played,
        );
        expect(takenKopecks).toBe(bookedKopecks + suspenseKopecks + givenBackKopecks);
        // The order was paid for once at most, whatever the bank did.
        expect([0n, 1_000n]).toContain(bookedKopecks);
        // A revoke is answered when nothing leaves any more that had been asked for before it (N1).
        const answeredAt = (played.revokedAt ?? Infinity) + HOLDS_MS;
        expect(chargesLeftAt.filter((at) => at > answeredAt)).toEqual([]);
        met.revoked += facts.revoked ? 1 : 0;
        met.takenTwice += facts.takenTwice ? 1 : 0;
        met.fenced += facts.fenced ? 1 : 0;
        met.late += facts.late ? 1 : 0;
        met.paid += bookedKopecks > 0n ? 1 : 0;
      }),
      { numRuns: HISTORIES, endOnFailure: true, examples: [[CROSSED]], ...SEED },
    );
    // A model that never got there would prove nothing.
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

it(
  'property: the same over 2,000 histories of a card payment that may be paid by SBP, of which only one order takes money (S1)',
  async () => {
    const met = { switchedBack: 0, paidBySbp: 0, paidByCard: 0, late: 0, fenced: 0, leftIsPaid: 0 };
    await fc.assert(
      fc.asyncProperty(pageHistory, async (played) => {
        const end = await playHistory(randomUUID(), played);
        expect(end.takenKopecks).toBe(end.bookedKopecks + end.suspenseKopecks + end.givenBackKopecks);
        expect([0n, 1_000n]).toContain(end.bookedKopecks);
        // A bank that keeps its rules takes the money of one order, whatever the buyer pressed.
        expect(end.ordersTaken).toBeLessThanOrEqual(played.takesWithdrawn ? Infinity : 1);
        met.switchedBack += end.facts.switched > 1 ? 1 : 0;
        met.paidBySbp += end.facts.isPaidBySbp ? 1 : 0;
        met.paidByCard += end.bookedKopecks > 0n && !end.facts.isPaidBySbp && end.facts.switched > 0 ? 1 : 0;
        met.late += end.facts.late ? 1 : 0;
        met.fenced += end.facts.fenced ? 1 : 0;
        met.leftIsPaid += end.facts.leftIsPaid ? 1 : 0;
      }),
      { numRuns: HISTORIES, endOnFailure: true, ...SEED },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

const window = fc.record({
  from: fc.constantFrom(0, 5_000, 20_000, 60_000),
  for: fc.constantFrom(0, 0, 0, 30_000, 90_000, 150_000),
});
const refundHistory: fc.Arbitrary<RefundHistory> = fc.record({
  bank: fc.constantFrom('sandbox', 'card', 'SBP'),
  fates: fc.array(fate, { minLength: 2, maxLength: 30, size: 'max' }),
  looks: parts.looks,
  wishes: fc.array(
    fc.record({
      at: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 150_000 })),
      amount: fc.constantFrom(1_000n, 500n, 500n, 300n, 1n),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  behind: window,
  strange: window,
  refunding: fc.record({
    ms: fc.constantFrom(0, 0, 700, 20_000, 400_000),
    as: fc.constantFrom('REFUNDING', 'REVERSING', 'ASYNC_REFUNDING'),
    fails: fc.array(oftenFalse, { maxLength: 3 }),
  }),
  dies: fc.array(oftenFalse, { maxLength: 3 }),
});

/** Whether the bank has done what the partner was told. Nothing stays open in silence, and nothing was paid twice while nobody knew. */
function isTold({ status, isForPerson, times }: Awaited<ReturnType<typeof playRefunds>>['refunds'][number]): boolean {
  if (status === 'PENDING') return isForPerson && times <= 1;
  return times === (status === 'COMPLETED' ? 1 : 0);
}

/**
 * Found by chance: the bank's list of the order's payments is behind, and does not have the paid one. A refund by SBP that it had begun to
 * carry out was sent again.
 */
const SENT_AGAIN: RefundHistory = {
  bank: 'SBP',
  fates: [
    { ...smooth, there: 1, back: 1 },
    { ...smooth, there: 301, back: 1 },
    { ...smooth, there: 1, back: 1, lost: 'request', frozenThere: 3_000 },
    { ...smooth, there: 1, back: 1, frozenBefore: 3_000, frozenAfter: 35_000 },
  ],
  looks: [1_000, 1_000],
  wishes: [{ at: 0, amount: 500n }],
  behind: { from: 5_000, for: 30_000 },
  strange: { from: 0, for: 0 },
  refunding: { ms: 20_000, as: 'REFUNDING', fails: [] },
  dies: [],
};

it(
  'property: refunds at the bank = what the partner was told, over 2,000 histories of three kinds of refunds (V2, V3)',
  async () => {
    const met = { repeated: 0, failed: 0, forPerson: 0, inPerson: 0, completed: 0, whole: 0 };
    await fc.assert(
      fc.asyncProperty(refundHistory, async (played) => {
        const { refunds, leftKopecks } = await playRefunds(played);
        for (const refund of refunds) expect([refund, isTold(refund)]).toEqual([refund, true]);
        const given = refunds.reduce((sum, { amountKopecks, times }) => sum + amountKopecks * BigInt(times), 0n);
        expect(leftKopecks).toBe(1_000n - given);
        met.repeated += refunds.length > played.wishes.length ? 1 : 0;
        met.failed += refunds.some(({ status }) => status === 'FAILED') ? 1 : 0;
        met.forPerson += refunds.some(({ isForPerson }) => isForPerson) ? 1 : 0;
        met.inPerson += refunds.some(({ status, times }) => status === 'PENDING' && times === 1) ? 1 : 0;
        met.completed += refunds.some(({ status }) => status === 'COMPLETED') ? 1 : 0;
        met.whole += leftKopecks === 0n ? 1 : 0;
      }),
      { numRuns: HISTORIES, endOnFailure: true, examples: [[SENT_AGAIN]], ...SEED },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
