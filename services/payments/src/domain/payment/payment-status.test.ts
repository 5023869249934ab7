import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PAYMENT_STATUSES, type PaymentStatus } from '@pay/contract/states.ts';
import { decideMove, isNegativeEnd, isOpen, PAYMENT_MOVES } from './payment-status.ts';

/** See spec/decisions#payment-transitions, word for word. */
const TRANSITIONS: Record<PaymentStatus, readonly PaymentStatus[]> = {
  CREATED: ['SUBMITTED', 'FAILED', 'CANCELLED', 'EXPIRED'],
  SUBMITTED: ['PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'],
  PENDING: ['SUBMITTED', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'],
  COMPLETED: ['REFUNDED'],
  REJECTED: [],
  EXPIRED: [],
  FAILED: [],
  CANCELLED: [],
  REFUNDED: [],
};

const status = fc.constantFrom(...PAYMENT_STATUSES);

describe('payment transitions', () => {
  it.each(PAYMENT_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((to) => [from, to] as const)))(
    '%s → %s is a move exactly where the decisions list it',
    (from, to) => {
      expect(decideMove(from, to).kind === 'move').toBe(TRANSITIONS[from].includes(to));
    },
  );

  it('no move into PENDING tells the partner anything (I28)', () => {
    for (const from of PAYMENT_STATUSES) {
      const move = decideMove(from, 'PENDING');
      expect(move.kind === 'move' ? move.event : null).toBeNull();
    }
  });

  it.each([
    ['CREATED', 'FAILED', 'payment.failed'],
    ['SUBMITTED', 'COMPLETED', 'payment.completed'],
    ['PENDING', 'REJECTED', 'payment.failed'],
    ['PENDING', 'EXPIRED', 'payment.failed'],
    ['PENDING', 'CANCELLED', 'payment.failed'],
    ['COMPLETED', 'REFUNDED', 'payment.refunded'],
    ['CREATED', 'SUBMITTED', null],
    ['SUBMITTED', 'PENDING', null],
    ['PENDING', 'SUBMITTED', null],
  ] as const)('%s → %s tells the partner %s', (from, to, event) => {
    expect(decideMove(from, to)).toEqual({ kind: 'move', to, event });
  });

  it.each([
    ['a second success (E16)', 'COMPLETED', 'COMPLETED', 'repeat'],
    ['a failure after success (E17)', 'COMPLETED', 'REJECTED', 'too-late'],
    ['a failure after a full refund (E17)', 'REFUNDED', 'FAILED', 'too-late'],
    ['a success after a full refund', 'REFUNDED', 'COMPLETED', 'too-late'],
    ['a second, other failure', 'REJECTED', 'EXPIRED', 'too-late'],
    ['a success after EXPIRED (E18)', 'EXPIRED', 'COMPLETED', 'late-success'],
    ['a success after FAILED (E18)', 'FAILED', 'COMPLETED', 'late-success'],
    ['a success after REJECTED (E18)', 'REJECTED', 'COMPLETED', 'late-success'],
    ['a success after CANCELLED (E18)', 'CANCELLED', 'COMPLETED', 'late-success'],
  ] as const)('%s', (_title, from, to, kind) => {
    expect(decideMove(from, to).kind).toBe(kind);
  });

  it('property: no walk tells payment.failed or payment.completed twice, nor one after the other', () => {
    fc.assert(
      fc.property(fc.array(status, { maxLength: 30 }), (wishes) => {
        let at: PaymentStatus = 'CREATED';
        const told: string[] = [];
        for (const wish of wishes) {
          const move = decideMove(at, wish);
          if (move.kind !== 'move') continue;
          if (move.event !== null) told.push(move.event);
          at = move.to;
        }
        const ends = told.filter((event) => event !== 'payment.refunded');
        expect(ends.length).toBeLessThanOrEqual(1);
        expect(told.lastIndexOf('payment.refunded')).toBe(told.includes('payment.refunded') ? 1 : -1);
      }),
    );
  });

  it('property: a final negative state is never left', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        fc.pre(isNegativeEnd(from));
        expect(decideMove(from, to).kind).not.toBe('move');
      }),
    );
  });

  it('docs/partners/states.md lists the moves of the table, and no other', () => {
    const page = readFileSync(new URL('../../../../../docs/partners/states.md', import.meta.url), 'utf8');
    const [, payment = ''] = page.split('## Payment\n');
    const [section = ''] = payment.split('\n## ');
    const rows = [...section.matchAll(/^\| ([A-Z]+) +\| ([A-Z]+) +\| (\S+) +\|/gm)].map(([, ...row]) => row);
    const moves = Object.entries(PAYMENT_MOVES).flatMap(([from, table]) =>
      Object.entries(table).map(([to, event]) => [from, to, event ?? '–']),
    );
    expect(rows).toEqual(moves);
  });

  it('only the open states have more than one way out, and one leads back: to another card', () => {
    for (const from of PAYMENT_STATUSES) {
      expect(Object.keys(PAYMENT_MOVES[from]).length > 1).toBe(isOpen(from));
      for (const to of Object.keys(PAYMENT_MOVES[from]) as PaymentStatus[])
        expect(decideMove(to, from).kind === 'move').toBe([from, to].toSorted().join() === 'PENDING,SUBMITTED');
    }
  });
});
