import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { outcomeOf, readResults, renderPage, renderRow, type Outcome } from './report.ts';
import { ROWS } from './rows.ts';
import type { Result, Row } from './table.ts';

const PAGE = new URL('../../docs/operate/faults.md', import.meta.url);
const ROW: Row = { name: 'a-row', fault: 'it rains', inject: () => Promise.resolve() };
const GOOD: Result = { accepted: 20, lost: [], twice: [], person: [], stuckSeconds: 1.04, late: [] };
const AT = new Date('2026-11-23T04:05:06.789Z');
const outcome = (change: Partial<Result> = {}): Outcome => outcomeOf(ROW, { ...GOOD, ...change }, AT);

it('docs/operate/faults.md is what docs/operate/faults.json says of the rows that there are', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toBe(await renderPage(page, ROWS, readResults()));
});

it('the page tells the rows that were stuck from those that were not, and shows what went wrong', async () => {
  const rows = ['smooth', 'slow', 'bad', 'new'].map((name) => ({ ...ROW, name }));
  const page = await renderPage('', rows, {
    complete: [],
    rows: { smooth: [outcome({ stuckSeconds: 0 })], slow: [outcome()], bad: [outcome({ lost: ['one: no row'] })] },
  });
  expect(page).toContain('in 2 of 4.');
  expect(page).toMatch(/^\| bad +\| it rains \| +20 \| 1\.0 of 10 \| \*\*not ok\*\*; 1 lost \|$/m);
  expect(page).toMatch(/^\| new +\| it rains \|.*\| not run +\|$/m);
  expect(page).toContain('Stuck at worst, seconds: `slow` 1.0.');
  expect(page).toContain('Not stuck at all: `smooth`.');
});

it('shows the worst of the last results of a row', () => {
  expect(renderRow(ROW, [outcome(), outcome({ accepted: 3, stuckSeconds: 10 })])).toBe('| a-row | it rains | 3 | 10.0 of 10 |  |');
  expect(renderRow(ROW, [outcome({ stuckSeconds: undefined }), outcome()])).toContain('| for ever of 10 |');
  expect(renderRow(ROW, [])).toContain('| not run |');
});

it('says what was lost, happened twice or waits for a person', () => {
  const bad = outcome({ lost: ['one: no row', 'two: no row'], twice: ['one: booked 2'], person: ['1 dead letters'] });
  expect(renderRow(ROW, [bad, outcome()])).toBe('| a-row | it rains | 20 | 1.0 of 10 | **not ok**; 2 lost; 1 twice; 1 dead letters |');
});

it.each([
  ['lost an order', { lost: ['one: no row'] }],
  ['did something twice', { twice: ['one: booked 2'] }],
  ['left something to a person', { person: ['1 dead letters'] }],
  ['took longer than ten seconds', { stuckSeconds: 10.1 }],
  ['never came to an end', { stuckSeconds: undefined }],
])('a row is not ok that once %s', (_what, change) => {
  expect(renderRow(ROW, [outcome(change), outcome()])).toContain('**not ok**');
});
