import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { decideAction, type WithdrawalFacts } from './operator-action.ts';
import { WITHDRAWAL_STATUSES } from '@pay/contract/states.ts';
import { effectOfMove, WITHDRAWAL_MOVES, type ReserveEffect, type WithdrawalStatus } from './withdrawal-status.ts';

describe('states of a withdrawal request', () => {
  const ALLOWED: Readonly<Record<string, ReserveEffect>> = {
    'REQUESTED IN_REVIEW': 'HOLD',
    'REQUESTED REJECTED': 'FREE',
    'REQUESTED CANCELLED': 'FREE',
    'IN_REVIEW APPROVED': 'HOLD',
    'IN_REVIEW REJECTED': 'FREE',
    'APPROVED COMPLETED': 'SPEND',
    'APPROVED FAILED': 'FREE',
  };
  const pairs = WITHDRAWAL_STATUSES.flatMap((from) => WITHDRAWAL_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('%s to %s: as the decisions say', (from, to) => {
    expect(effectOfMove(from, to)).toBe(ALLOWED[`${from} ${to}`]);
  });

  it('docs/partners/states.md lists the moves of the table, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/partners/states.md', import.meta.url), 'utf8');
    const [, after = ''] = page.split('## Withdrawal request\n');
    const [section = ''] = after.split('\n## ');
    const rows = [...section.matchAll(/^\| ([A-Z_]+) +\| ([A-Z_]+) +\| (\S+) +\|/gm)].map(([, ...row]) => row);
    const words = { HOLD: 'held', FREE: 'freed', SPEND: 'spent' };
    const moves = Object.entries(WITHDRAWAL_MOVES).flatMap(([from, table]) =>
      Object.entries(table).map(([to, effect]) => [from, to, words[effect]]),
    );
    expect(rows).toEqual(moves);
  });

  it('property: no walk ends a reserve twice', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WITHDRAWAL_STATUSES), { maxLength: 30 }), (walk) => {
        let status: WithdrawalStatus = 'REQUESTED';
        let ends = 0;
        for (const to of walk) {
          const effect = effectOfMove(status, to);
          if (effect === undefined) continue;
          status = to;
          if (effect !== 'HOLD') ends += 1;
        }
        expect(ends).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('an operator’s action', () => {
  const now = new Date('2026-11-20T10:00:00.000Z');
  const person = (login: string): Operator => ({ login, role: 'finance', sessionId: 's', notIndependentOf: [] });
  const [olga, ivan] = [person('olga'), person('ivan')];
  const facts = (change: Partial<WithdrawalFacts>): WithdrawalFacts => ({
    status: 'IN_REVIEW',
    takenBy: 'olga',
    takenUntil: new Date(now.getTime() + 1),
    reviewedBy: null,
    reviewerNotIndependentOf: [],
    ...change,
  });

  it('the lock ends at the very moment that it names', () => {
    expect(decideAction(facts({}), 'take', ivan, now)).toEqual({ kind: 'refuse', reason: 'held-by-another' });
    expect(decideAction(facts({ takenUntil: now }), 'take', ivan, now)).toEqual({ kind: 'hold' });
    expect(decideAction(facts({ takenUntil: now }), 'approve', olga, now)).toEqual({
      kind: 'refuse',
      reason: 'not-held',
    });
  });

  it.each(['complete', 'fail'] as const)('%s of what was approved takes a second, independent person (S4)', (action) => {
    const approved = facts({ status: 'APPROVED', takenBy: null, takenUntil: null, reviewedBy: 'olga' });
    const refused = { kind: 'refuse', reason: 'same-person' };
    expect(decideAction(approved, action, olga, now)).toEqual(refused);
    expect(decideAction(approved, action, { ...ivan, notIndependentOf: ['olga'] }, now)).toEqual(refused);
    expect(decideAction({ ...approved, reviewerNotIndependentOf: ['ivan'] }, action, ivan, now)).toEqual(refused);
    expect(decideAction(approved, action, ivan, now)).toMatchObject({ kind: 'move' });
  });
});
