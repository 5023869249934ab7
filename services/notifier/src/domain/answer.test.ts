import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classify, decideNext, type Answer } from './answer.ts';
import { RETRY_PAUSES_MS } from './retry-schedule.ts';

const answered = (status: number, retryAfterSeconds: number | null = null): Answer => ({
  kind: 'answered',
  status,
  retryAfterSeconds,
});
const unanswered: Answer = { kind: 'unanswered', failure: 'TIMEOUT' };
const HOUR_MS = 3_600_000;

describe('classify', () => {
  it('sorts every status into the contract’s four classes (I01-I04)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), (status) => {
        const retried = [408, 425, 429].includes(status) || (status >= 500 && status <= 599);
        const refused = status >= 400 && status <= 499 && !retried;
        const expected = status === 200 ? 'DELIVERED' : retried ? 'RETRY' : refused ? 'REFUSED' : 'FLAGGED';
        return classify(answered(status)) === expected;
      }),
    );
  });
  it('no answer is retried (I05)', () => {
    expect(classify(unanswered)).toBe('RETRY');
  });
});

describe('decideNext', () => {
  it.each([
    [1, 10_000],
    [2, 60_000],
    [3, 300_000],
    [4, 900_000],
    [5, 1_800_000],
    [6, HOUR_MS],
    [7, 3 * HOUR_MS],
    [8, 6 * HOUR_MS],
    [9, 12 * HOUR_MS],
    [10, 24 * HOUR_MS],
    [11, 24 * HOUR_MS],
  ])('after attempt %i waits %i ms, a fifth shorter or longer', (attempt, ms) => {
    expect(decideNext(unanswered, attempt, 0)).toMatchObject({ status: 'WAITING', waitMs: ms * 0.8 });
    expect(decideNext(unanswered, attempt, 0.5)).toMatchObject({ status: 'WAITING', waitMs: ms });
    expect(decideNext(unanswered, attempt, 0.999_999_999)).toMatchObject({ status: 'WAITING', waitMs: ms * 1.2 });
  });

  it('the twelfth failure exhausts the schedule, after about 71 hours (I27)', () => {
    expect(decideNext(unanswered, 12, 0.5)).toEqual({ outcome: 'RETRY', status: 'EXHAUSTED' });
    const hours = RETRY_PAUSES_MS.reduce((sum, ms) => sum + ms, 0) / HOUR_MS;
    expect(hours).toBeGreaterThan(70);
    expect(hours).toBeLessThan(72);
  });

  it('a thousand failures at once come back spread over the whole two fifths (I13)', () => {
    const waits = Array.from({ length: 1_000 }, (_, index) => decideNext(unanswered, 1, index / 1_000)).map((decision) =>
      decision.status === 'WAITING' ? decision.waitMs : 0,
    );
    expect(Math.min(...waits)).toBe(8_000);
    expect(Math.max(...waits)).toBeGreaterThan(11_990);
  });

  it('docs/partners/states.md lists what becomes of an event, and no more', () => {
    const page = readFileSync(new URL('../../../../docs/partners/states.md', import.meta.url), 'utf8');
    const [, after = ''] = page.split('## Callback event\n');
    const [section = ''] = after.split('\n## ');
    const ends = [...section.matchAll(/^\| WAITING \| ([A-Z]+) +\|/gm)].map(([, to]) => to);
    const statuses = Array.from({ length: 900 }, (_, index) => decideNext(answered(100 + index), 12, 0.5).status);
    expect(ends).toHaveLength(new Set(ends).size);
    expect(new Set(ends)).toEqual(new Set(statuses));
  });

  it('a Retry-After lengthens the pause, and never shortens it (I04)', () => {
    expect(decideNext(answered(503, 120), 1, 0.5)).toMatchObject({ waitMs: 120_000 });
    expect(decideNext(answered(429, 1), 6, 0.5)).toMatchObject({ waitMs: HOUR_MS });
    expect(decideNext(answered(503, 86_400), 1, 0.5)).toMatchObject({ waitMs: 24 * HOUR_MS });
  });
});
