import { describe, expect, it } from '@jest/globals';
import { dueMove, isCancellable, isFinal, mayMove, OPERATION_MOVES, OPERATION_STATUSES } from './operation-status.ts';

const NOON = new Date('2026-11-21T12:00:00.000Z');
const at = (offsetMs: number) => new Date(NOON.getTime() + offsetMs);

describe('the state table', () => {
  it('has a row for every status and only known statuses in it', () => {
    expect(Object.keys(OPERATION_MOVES).sort()).toEqual([...OPERATION_STATUSES].sort());
    for (const moves of Object.values(OPERATION_MOVES)) {
      for (const to of moves) expect(OPERATION_STATUSES).toContain(to);
    }
  });

  it('nothing leaves an end', () => {
    expect(OPERATION_STATUSES.filter(isFinal)).toEqual(['APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED']);
    expect(mayMove('APPROVED', 'DECLINED')).toBe(false);
    expect(mayMove('DECLINED', 'APPROVED')).toBe(false);
  });

  it('a PENDING operation is neither cancelled nor expired: money may be on its way', () => {
    expect(mayMove('PENDING', 'CANCELLED')).toBe(false);
    expect(mayMove('PENDING', 'EXPIRED')).toBe(false);
  });

  it('only what nobody began to pay can be cancelled', () => {
    expect(OPERATION_STATUSES.filter(isCancellable)).toEqual(['REGISTERED', 'THREE_DS_REQUIRED']);
  });
});

describe('what time alone does', () => {
  const expired = { to: 'EXPIRED', reason: 'SESSION_EXPIRED' };
  const approved = { to: 'APPROVED', reason: null };

  it.each([
    ['an unpaid order, one ms before its end', 'REGISTERED', NOON, null, -1, undefined],
    ['an unpaid order, exactly at its end', 'REGISTERED', NOON, null, 0, expired],
    ['an unfinished 3-D Secure, at its end', 'THREE_DS_REQUIRED', NOON, null, 0, expired],
    ['a late approval, one ms before its moment', 'PENDING', NOON, NOON, -1, undefined],
    ['a late approval, exactly at its moment', 'PENDING', NOON, NOON, 0, approved],
    ['a PENDING order that only a person decides, long after its end', 'PENDING', NOON, null, 9_000_000, undefined],
    ['a charge that only a person decides', 'PENDING', null, null, 9_000_000, undefined],
    ['an approved order, after its end', 'APPROVED', NOON, NOON, 1, undefined],
    ['a cancelled order, after its end', 'CANCELLED', NOON, null, 1, undefined],
  ] as const)('%s', (_name, status, expiresAt, approvesAt, offsetMs, expected) => {
    expect(dueMove({ status, expiresAt, approvesAt }, at(offsetMs))).toEqual(expected);
  });
});
