import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  entriesForCompleted,
  entriesForCompletedRefund,
  entriesForFailedRefund,
  entriesForLateSuccess,
  entriesForRequestedRefund,
  entriesForReturnedMoney,
  type LedgerEntry,
} from './ledger.ts';

const sum = (entries: readonly LedgerEntry[]) => entries.reduce((total, entry) => total + entry.amountKopecks, 0n);
const payment = { partnerId: 'p1', paymentPointId: 'pp1', routeId: 'r1', amountKopecks: 10_050n, feeBasisPoints: 250 };
const amounts = fc.bigInt({ min: 1n, max: 100_000_000_000n });

describe('ledger entries', () => {
  it('a completed payment: clearing the amount, payable all but the fee, income the fee', () => {
    expect(entriesForCompleted(payment)).toEqual([
      { account: 'ACQUIRER_CLEARING', owner: 'r1', amountKopecks: 10_050n },
      { account: 'PARTNER_PAYABLE', owner: 'p1', amountKopecks: -9_799n },
      { account: 'FEE_INCOME', owner: 'pp1', amountKopecks: -251n },
    ]);
  });

  it.each([
    ['no fee: two entries', 0, ['ACQUIRER_CLEARING', 'PARTNER_PAYABLE']],
    ['all is fee: two entries', 10_000, ['ACQUIRER_CLEARING', 'FEE_INCOME']],
  ])('%s', (_title, feeBasisPoints, accounts) => {
    const entries = entriesForCompleted({ ...payment, feeBasisPoints });
    expect(entries.map(({ account }) => account)).toEqual(accounts);
    expect(sum(entries)).toBe(0n);
  });

  it('property: every payment balances, whatever amount and fee, without an empty entry', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amountKopecks, feeBasisPoints) => {
        const entries = entriesForCompleted({ ...payment, amountKopecks, feeBasisPoints });
        expect(sum(entries)).toBe(0n);
        expect(entries.every((entry) => entry.amountKopecks !== 0n)).toBe(true);
        const payable = entries.find(({ account }) => account === 'PARTNER_PAYABLE')?.amountKopecks ?? 0n;
        expect(payable <= 0n && -payable <= amountKopecks).toBe(true);
      }),
    );
  });

  it('property: a refund that completes and one that fails balance, and leave nothing in flight', () => {
    fc.assert(
      fc.property(amounts, (amountKopecks) => {
        const refund = { partnerId: 'p1', routeId: 'r1', amountKopecks };
        const ends = [entriesForCompletedRefund(refund), entriesForFailedRefund(refund)];
        for (const end of ends) {
          const all = [...entriesForRequestedRefund(refund), ...end];
          expect([sum(end), sum(all)]).toEqual([0n, 0n]);
          expect(sum(all.filter(({ account }) => account === 'REFUNDS_IN_FLIGHT'))).toBe(0n);
        }
        const afterFailure = [...entriesForRequestedRefund(refund), ...entriesForFailedRefund(refund)];
        expect(sum(afterFailure.filter(({ account }) => account === 'PARTNER_PAYABLE'))).toBe(0n);
      }),
    );
  });

  it('property: late money and its return cancel each other, account by account', () => {
    fc.assert(
      fc.property(amounts, (amountKopecks) => {
        const came = entriesForLateSuccess('r1', amountKopecks);
        const went = entriesForReturnedMoney('r1', amountKopecks);
        expect([sum(came), sum(went)]).toEqual([0n, 0n]);
        for (const account of ['ACQUIRER_CLEARING', 'SUSPENSE'] as const) {
          expect(sum([...came, ...went].filter((entry) => entry.account === account))).toBe(0n);
        }
      }),
    );
  });
});
