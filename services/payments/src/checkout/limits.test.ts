import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLimits } from './limits.ts';

const PER_MINUTE = { requests: 60, unknownLinks: 3, bankAsks: 6, reports: 6 };

/** Limits on a clock that the test moves. */
function limitsAt() {
  const clock = { ms: 0 };
  return { clock, limits: createLimits(PER_MINUTE, () => clock.ms) };
}

it('a source gets its minute’s worth at once, then as much as time passes, and no other source pays for it (M8)', () => {
  const { clock, limits } = limitsAt();
  for (let count = 0; count < 60; count += 1) expect(limits.request('a')).toBeUndefined();
  expect(limits.request('a')).toBe(1);
  expect(limits.request('b')).toBeUndefined();
  clock.ms += 1_000;
  expect(limits.request('a')).toBeUndefined();
  expect(limits.request('a')).toBe(1);
});

it('who was quiet for long has a minute’s worth, and no more (M8)', () => {
  const { clock, limits } = limitsAt();
  limits.request('a');
  clock.ms += 3_600_000;
  for (let count = 0; count < 60; count += 1) expect(limits.request('a')).toBeUndefined();
  expect(limits.request('a')).toBe(1);
});

it('guesses at once are guesses each, and a link that was good a moment ago passes all the same (M8)', () => {
  const { limits } = limitsAt();
  limits.lookUp('a', 'good');
  limits.found('a', 'good');
  expect([1, 2, 3, 4].map((guess) => limits.lookUp('a', String(guess)))).toEqual([undefined, undefined, undefined, 20]);
  expect(limits.lookUp('a', 'good')).toBeUndefined();
  expect(limits.lookUp('b', 'another')).toBeUndefined();
});

it('whatever comes in whatever order, no source gets more than its minute’s worth and what time brings (M8)', () => {
  const step = fc.record({ source: fc.constantFrom('a', 'b'), waitMs: fc.integer({ min: 0, max: 20_000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { clock, limits } = limitsAt();
      const passed = { a: 0, b: 0 };
      for (const { source, waitMs } of steps) {
        clock.ms += waitMs;
        if (limits.bankAsk(source) === undefined) passed[source] += 1;
      }
      const most = PER_MINUTE.bankAsks * (1 + clock.ms / 60_000);
      expect(Math.max(passed.a, passed.b)).toBeLessThanOrEqual(most);
    }),
  );
});

it('remembers a bounded number of sources, and forgets the quietest first (M8)', () => {
  const { limits } = limitsAt();
  for (let count = 0; count < 60; count += 1) limits.request('first');
  for (let count = 0; count < 19_999; count += 1) limits.request(`source ${String(count)}`);
  // Who is refused is not quiet.
  expect(limits.request('first')).toBe(1);
  for (let count = 0; count < 19_999; count += 1) limits.request(`more ${String(count)}`);
  expect(limits.request('first')).toBe(1);
  for (let count = 0; count < 20_001; count += 1) limits.request(`other ${String(count)}`);
  expect(limits.request('first')).toBeUndefined();
});
