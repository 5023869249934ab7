import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withRunningTotal, type StatementEntry } from './statement.ts';

const entry = (amountKopecks: bigint): StatementEntry => ({
  ledgerTransactionId: 't',
  bookedAt: new Date('2026-11-21T00:00:00.000Z'),
  kind: 'PAYMENT',
  referenceId: 'p',
  amountKopecks,
  feeKopecks: 0n,
});
const amount = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

describe('the running total of a statement', () => {
  it('property: each line has the sum so far, and the last one the closing balance', () => {
    fc.assert(
      fc.property(amount, fc.array(amount), (opening, amounts) => {
        const lines = withRunningTotal(opening, amounts.map(entry), opening + sum(amounts));
        expect(lines.map(({ balanceKopecks }) => balanceKopecks)).toEqual(
          amounts.map((_one, index) => opening + sum(amounts.slice(0, index + 1))),
        );
      }),
    );
  });

  it('property: a line that is missing is found', () => {
    fc.assert(
      fc.property(
        fc.array(
          amount.filter((one) => one !== 0n),
          { minLength: 1 },
        ),
        fc.nat(),
        (amounts, at) => {
          const rest = amounts.toSpliced(at % amounts.length, 1);
          expect(() => withRunningTotal(0n, rest.map(entry), sum(amounts))).toThrow('running total');
        },
      ),
    );
  });
});
