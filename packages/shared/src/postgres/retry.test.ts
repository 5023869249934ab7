import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { repeatOnConflict } from './retry.ts';

const refusal = (code: string) => Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });

describe('a transaction that PostgreSQL asks to repeat', () => {
  it.each([
    ['a serialisation failure', '40001'],
    ['a deadlock', '40P01'],
  ])('waits after %s until the session that was in its way has gone on', async (_what, code) => {
    let isTheirTurnOver = false;
    let theirs: Promise<void> = Promise.resolve();
    let runs = 0;
    const ours = repeatOnConflict(() => {
      runs += 1;
      if (runs === 1) theirs = wait(5).then(() => void (isTheirTurnOver = true));
      return isTheirTurnOver ? Promise.resolve('stored') : Promise.reject(refusal(code));
    });
    expect(await ours).toBe('stored');
    expect(runs).toBe(2);
    await theirs;
  });

  it.each([
    ['the third run, after deadlocks', '40P01', 3],
    ['the only run, after another refusal', '23505', 1],
  ])('fails with the error of %s', async (_which, code, expected) => {
    let runs = 0;
    const error = refusal(code);
    const refused = repeatOnConflict(() => {
      runs += 1;
      return Promise.reject(error);
    });
    await expect(refused).rejects.toBe(error);
    expect(runs).toBe(expected);
  });
});
