import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { decideRefund } from './refund.ts';

const BOOKED = new Date('2026-01-31T12:00:00.000Z');
const DAY = 24 * 3_600_000;
const after = (ms: number) => new Date(BOOKED.getTime() + ms);
const paid = { status: 'COMPLETED', amountKopecks: 10_000n, refundReservedKopecks: 4_000n, bookedAt: BOOKED } as const;
const accepted = (amountKopecks: bigint) => ({ kind: 'accept', amountKopecks });
const refused = (why: string) => ({ kind: 'refuse', why });

describe('may a payment be refunded', () => {
  // Every row starts from a payment of 100.00 with 40.00 on its way back, and changes one thing.
  it.each([
    ['a part', {}, 1n, 0, accepted(1n)],
    ['all that remains, named', {}, 6_000n, 0, accepted(6_000n)],
    ['all that remains, not named', {}, undefined, 0, accepted(6_000n)],
    ['a kopeck more than remains', {}, 6_001n, 0, refused('exceeds')],
    ['nothing remains', { refundReservedKopecks: 10_000n }, undefined, 0, refused('nothing-left')],
    ['exactly 365 days after it was booked', {}, 1n, 365 * DAY, accepted(1n)],
    ['a millisecond later', {}, 1n, 365 * DAY + 1, refused('too-late')],
    ['never booked', { bookedAt: undefined }, 1n, 0, refused('not-completed')],
    ['the period outranks the amount', {}, 6_001n, 365 * DAY + 1, refused('too-late')],
    ['the state outranks the period', { status: 'REFUNDED' }, 1n, 365 * DAY + 1, refused('not-completed')],
  ] as const)('%s', (_title, change, wanted, ms, expected) => {
    expect(decideRefund({ ...paid, ...change }, wanted, after(ms))).toEqual(expected);
  });

  it.each(PAYMENT_STATUSES.filter((status) => status !== 'COMPLETED'))('not while it is %s', (status) => {
    expect(decideRefund({ ...paid, status }, 1n, BOOKED)).toEqual(refused('not-completed'));
  });

  it('property: what is accepted never exceeds what remains, and is more than nothing', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(amount, amount, fc.option(amount, { nil: undefined }), (amountKopecks, share, wanted) => {
        const refundReservedKopecks = share % (amountKopecks + 1n);
        const decision = decideRefund({ ...paid, amountKopecks, refundReservedKopecks }, wanted, BOOKED);
        const taken = decision.kind === 'accept' ? decision.amountKopecks : 1n;
        expect(taken > 0n).toBe(true);
        expect(decision.kind === 'refuse' || refundReservedKopecks + taken <= amountKopecks).toBe(true);
      }),
    );
  });
});
