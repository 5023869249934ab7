import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { format } from 'oxfmt';
import { z } from 'zod';
import type { Row } from './run-row.ts';

/** The results of the newest complete run. */
const RESULTS = new URL('../../docs/operate/proof-ha.json', import.meta.url);
/** The page whose section is made from them. */
const PAGE = new URL('../../docs/operate/proof.md', import.meta.url);
const [FROM, TO] = ['<!-- Made by npm run test:ha from here on. -->', '<!-- Made by npm run test:ha up to here. -->'];

export const Result = z.strictObject({
  name: z.string(),
  at: z.iso.datetime(),
  /** Creates answered with 201. */
  accepted: z.int(),
  /** Seconds, the longest between two creates answered with 201 from the fault on. */
  longestStopSeconds: z.number(),
  /** Tries to create that were answered with anything but 201, or not at all: each was repeated with the same key. */
  failed: z.int(),
  /** A sentence for each order without its effect. */
  lost: z.array(z.string()).readonly(),
  /** A sentence for each effect that exists more than once. */
  twice: z.array(z.string()).readonly(),
  /** What waits for a person. */
  person: z.array(z.string()).readonly(),
  /** Callbacks that arrived again with the same event id, which the contract permits. */
  repeatedCallbacks: z.int(),
  /** Seconds, the longest from a buyer's page that said "paid" to the callback. */
  slowestCallbackSeconds: z.number(),
  /** Load of the machine over the last minute, when the row began. */
  load: z.number(),
});
export type Result = z.output<typeof Result>;

/** Nothing lost, nothing twice, nothing for a person, and the goal met. */
export const isOk = ({ goalSeconds }: Row, { lost, twice, person, longestStopSeconds }: Result): boolean =>
  lost.length + twice.length + person.length === 0 && longestStopSeconds <= goalSeconds;

const HEAD = [
  '| row | fault | stop of goal, s | failed of all | slowest callback, s | load | wrong |',
  '| --- | ----- | --------------: | ------------: | ------------------: | ---: | ----- |',
].join('\n');

/** A row as on the page and in the terminal. The last cell is empty if nothing was lost, came twice or waits for a person. */
export function renderRow(row: Row, result: Result): string {
  const { lost, twice, person, failed, accepted } = result;
  const stop = result.longestStopSeconds.toFixed(1);
  const counted = (what: string, count: number) => (count === 0 ? [] : [`${String(count)} ${what}`]);
  const wrong = [...counted('lost', lost.length), ...counted('duplicated', twice.length), ...person];
  const cells = [
    row.name,
    row.fault,
    `${isOk(row, result) ? stop : `**${stop}**`} of ${String(row.goalSeconds)}`,
    `${String(failed)} of ${String(failed + accepted)}`,
    result.slowestCallbackSeconds.toFixed(1),
    result.load.toFixed(1),
    wrong.join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Replaces the stored results by those of a complete run, and the page's section with them. */
export async function keepRun(rows: readonly Row[], results: readonly Result[]): Promise<void> {
  const lines = rows.flatMap((row) => {
    const result = results.find(({ name }) => name === row.name);
    return result === undefined ? [] : [renderRow(row, result)];
  });
  const made = [`The newest figures of every row, ${results[0]?.at.slice(0, 10) ?? ''}:`, `${HEAD}\n${lines.join('\n')}`];
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', after = ''] = [page.split(FROM)[0], page.split(TO)[1]];
  writeFileSync(PAGE, await pretty(PAGE, `${before}${[FROM, ...made, TO].join('\n\n')}${after}`));
  writeFileSync(RESULTS, await pretty(RESULTS, JSON.stringify(results)));
}

/** As `npm run format` would leave it. */
async function pretty({ pathname }: URL, text: string): Promise<string> {
  const { code, errors } = await format(basename(pathname), text, { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
