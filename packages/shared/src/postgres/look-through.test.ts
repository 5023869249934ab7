import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lookThrough } from './look-through.ts';

/** A list with its newest on top, of which each call looks at `window` rows; `added` come on top between its two looks. */
async function pagesOf(rows: readonly number[], window: number, limit: number, added: readonly number[]) {
  const isWanted = (row: number) => row % 3 === 0;
  const found: number[] = [];
  let list = [...rows].sort((one, other) => other - one);
  const more = [...added];
  let after = Infinity;
  for (let calls = 0; calls <= rows.length + added.length + 1; calls += 1) {
    const from = after;
    const next = () => list.filter((row) => row < from);
    const page = await lookThrough<number, number>(
      {
        page: (count) => Promise.resolve(next().slice(0, window).filter(isWanted).slice(0, count)),
        placeOf: (row) => row,
        lastLookedAt: () => {
          list = [...list, ...more.splice(0, 1)].sort((one, other) => other - one);
          return Promise.resolve(next()[window - 1]);
        },
        isLater: (place, than) => place < than,
      },
      limit,
    );
    found.push(...page.items);
    if (page.next === undefined) return { found, wanted: [...rows].sort((one, other) => other - one).filter(isWanted) };
    after = page.next;
  }
  throw new Error('the list does not end');
}

it('property: its pages have every wanted row once, however few a call looks at, and whatever is added meanwhile (N3)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 8 }),
      fc.uniqueArray(fc.integer({ min: 501, max: 600 }), { maxLength: 5 }),
      async (rows, window, limit, added) => {
        const { found, wanted } = await pagesOf(rows, window, limit, added);
        expect(found.filter((row) => row <= 500)).toEqual(wanted);
        expect(new Set(found).size).toBe(found.length);
      },
    ),
  );
});
