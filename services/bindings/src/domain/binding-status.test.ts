import { describe, expect, it } from '@jest/globals';
import { bindingStatus } from '@pay/contract/api/fields.ts';
import { BINDING_MOVES, BINDING_STATUSES, statusesBefore } from './binding-status.ts';

describe('binding states', () => {
  it.each(BINDING_STATUSES.flatMap((from) => BINDING_STATUSES.map((to) => [from, to] as const)))(
    '%s → %s is a move exactly where the contract lists it',
    (from, to) => {
      const moves = ['ACTIVE→REVOKED', 'ACTIVE→EXPIRED', 'EXPIRED→REVOKED'];
      expect(to in BINDING_MOVES[from]).toBe(moves.includes(`${from}→${to}`));
      expect(statusesBefore(to).includes(from)).toBe(moves.includes(`${from}→${to}`));
    },
  );

  it('has the states of the contract', () => {
    expect(BINDING_STATUSES).toEqual(bindingStatus.options);
  });
});
