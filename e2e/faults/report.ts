import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { format } from 'oxfmt';
import { z } from 'zod';
import { isOk, STUCK_SECONDS_MAX, type Result, type Row } from './table.ts';

/** The rows' results, kept between runs. */
const RESULTS = new URL('../../docs/operate/faults.json', import.meta.url);
/** The page generated from it. The part before the line below is written by hand. */
const PAGE = new URL('../../docs/operate/faults.md', import.meta.url);
const MADE_FROM_HERE = '<!-- Made by npm run test:faults from here on. -->';
/** Runs per row shown on the page, the newest. */
const KEPT = 3;
/** Complete runs listed on the page. */
const COMPLETE_KEPT = 3;

const Moment = z.iso.datetime();
const Outcome = z.strictObject({
  at: Moment,
  accepted: z.int(),
  lost: z.int(),
  twice: z.int(),
  /** Null: for ever. */
  stuckSeconds: z.number().nullable(),
  person: z.array(z.string()),
  ok: z.boolean(),
});
/** A run of all rows: `rows` tried, `ok` of them, `minutes` in total. */
const CompleteRun = z.strictObject({ at: Moment, rows: z.int(), ok: z.int(), minutes: z.number() });
const Results = z.strictObject({
  complete: z.array(CompleteRun),
  /** By row name, oldest first. */
  rows: z.record(z.string(), z.array(Outcome)),
});
export type Outcome = z.output<typeof Outcome>;
export type CompleteRun = z.output<typeof CompleteRun>;
export type Results = z.output<typeof Results>;

/** A result as it is stored. */
export function outcomeOf(row: Row, result: Result, at: Date): Outcome {
  const { accepted, lost, twice, stuckSeconds, person } = result;
  return {
    at: at.toISOString(),
    accepted,
    lost: lost.length,
    twice: twice.length,
    stuckSeconds: stuckSeconds === undefined ? null : Math.round(stuckSeconds * 10) / 10,
    person: [...person],
    ok: isOk(row, result),
  };
}

/** @throws Error if the file is not in the format that this writes */
export function readResults(): Results {
  return Results.parse(JSON.parse(readFileSync(RESULTS, 'utf8')));
}

/** Adds a row's result at once, so that an interrupted run keeps what it has. */
export async function keepOutcome(rows: readonly Row[], name: string, outcome: Outcome): Promise<void> {
  const results = readResults();
  results.rows[name] = [...(results.rows[name] ?? []), outcome].slice(-KEPT);
  await write(rows, results);
}

/** Adds a run of all rows. */
export async function keepCompleteRun(rows: readonly Row[], run: CompleteRun): Promise<void> {
  const results = readResults();
  await write(rows, { ...results, complete: [...results.complete, run].slice(-COMPLETE_KEPT) });
}

async function write(rows: readonly Row[], results: Results): Promise<void> {
  writeFileSync(RESULTS, await pretty(RESULTS, JSON.stringify(results)));
  writeFileSync(PAGE, await renderPage(readFileSync(PAGE, 'utf8'), rows, results));
}

/** The page with its generated part renewed. */
export async function renderPage(page: string, rows: readonly Row[], results: Results): Promise<string> {
  const [byHand = ''] = page.split(MADE_FROM_HERE);
  const runs = results.complete.map(
    ({ at, rows: tried, ok, minutes }) => `- ${minuteOf(at)} UTC: ${String(tried)} rows, ${String(ok)} ok, ${minutes.toFixed(0)} min`,
  );
  const newest = rows.map(({ name }) => results.rows[name]?.at(-1)?.at.slice(0, 10) ?? 'never').toSorted();
  const tried = rows.map((row) => ({ row, outcomes: results.rows[row.name] ?? [] }));
  const [good, bad] = [tried.filter(({ outcomes }) => isGood(outcomes)), tried.filter(({ outcomes }) => !isGood(outcomes))];
  const waits = good.map(({ row: { name }, outcomes }) => ({ name, seconds: longest(outcomes).toFixed(1) }));
  const stuck = waits.filter(({ seconds }) => seconds !== '0.0').map(({ name, seconds }) => `\`${name}\` ${seconds}`);
  const smooth = waits.filter(({ seconds }) => seconds === '0.0').map(({ name }) => `\`${name}\``);
  const made = [
    runs.length === 0 ? 'No complete run is on record.' : `Complete runs:\n\n${runs.join('\n')}`,
    `Each row by its last ${String(KEPT)} results, the newest not before ${newest[0] ?? 'never'}: nothing lost, nothing twice, nothing for a person and none stuck for too long in ${String(good.length)} of ${String(rows.length)}.`,
    ...(bad.length === 0 ? [] : [`${HEAD}\n${bad.map(({ row, outcomes }) => renderRow(row, outcomes)).join('\n')}`]),
    `Stuck at worst, seconds: ${stuck.join(', ')}.`,
    `Not stuck at all: ${smooth.join(', ')}.`,
  ];
  return pretty(PAGE, [byHand.trim(), MADE_FROM_HERE, ...made].join('\n\n'));
}

const isGood = (outcomes: readonly Outcome[]): boolean => outcomes.length > 0 && outcomes.every(({ ok }) => ok);
/** Infinity: for ever. */
const longest = (outcomes: readonly Outcome[]): number => Math.max(...outcomes.map(({ stuckSeconds }) => stuckSeconds ?? Infinity));

const HEAD = ['| row | fault | accepted | stuck, s | wrong |', '| --- | ----- | -------: | -------: | ----- |'].join('\n');

/** A row as shown in the terminal, and on the page if it is not ok. The last cell is empty if all went well. */
export function renderRow({ name, fault, stuckSecondsMax = STUCK_SECONDS_MAX }: Row, outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return `| ${[name, fault, '', '', 'not run'].join(' | ')} |`;
  const counted = (what: string, of: (outcome: Outcome) => number) => {
    const sum = outcomes.map(of).reduce((all, one) => all + one, 0);
    return sum === 0 ? [] : [`${String(sum)} ${what}`];
  };
  const stuck = longest(outcomes);
  const wrong = [
    ...(isGood(outcomes) ? [] : ['**not ok**']),
    ...counted('lost', ({ lost }) => lost),
    ...counted('twice', ({ twice }) => twice),
    ...outcomes.flatMap(({ person }) => person),
  ];
  const cells = [
    name,
    fault,
    String(Math.min(...outcomes.map(({ accepted }) => accepted))),
    `${Number.isFinite(stuck) ? stuck.toFixed(1) : 'for ever'} of ${String(stuckSecondsMax)}`,
    wrong.join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** `2026-11-23 04:10`. */
const minuteOf = (at: string): string => at.slice(0, 16).replace('T', ' ');

/** As `npm run format` would leave it. */
async function pretty({ pathname }: URL, text: string): Promise<string> {
  const { code, errors } = await format(basename(pathname), text, { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
