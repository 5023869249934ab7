import type { Audit } from './audit.ts';
import type { Load } from './load.ts';
import { countMix, PAIRS, type Moment } from './mixes.ts';

/** A part of the run. Times are from `performance.now()`. */
export type Step = { readonly name: string; readonly from: number; readonly to: number };

type Run = {
  readonly steps: readonly Step[];
  readonly moments: readonly Moment[];
  /** When each callback arrived. */
  readonly callbacks: readonly number[];
  readonly load: Load;
  readonly found: Audit;
};

/** Sentences of each kind that are printed. */
const SENTENCES_MAX = 20;

/** Prints the tables of a run, and returns whether all is well. */
export function report({ steps, moments, callbacks, load, found }: Run, say: (line: string) => void): boolean {
  const { calls } = load;
  const { lost, duplicated, odd } = found;
  const row = (cells: readonly (string | number)[]) => {
    say(`| ${cells.join(' | ')} |`);
  };
  const failures = calls.filter(({ problem }) => problem !== undefined);
  const creates = calls.filter(({ kind, problem }) => kind === 'create' && problem === undefined).map(({ endedAt }) => endedAt);
  row(['step', 'seconds', 'requests', 'failed', 'longest gap, s', 'slowest, s', 'lost', 'duplicated']);
  row(['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:']);
  const within =
    ({ from, to }: Omit<Step, 'name'>) =>
    (at: number) =>
      at >= from && at < to;
  for (const { name, ...step } of [...steps, { name: 'all', ...whole(steps) }]) {
    const isHere = within(step);
    const own = calls.filter(({ endedAt }) => isHere(endedAt));
    row([
      name,
      ((step.to - step.from) / 1_000).toFixed(0),
      own.length,
      own.filter(({ problem }) => problem !== undefined).length,
      seconds(longestGap(creates, step)),
      seconds(Math.max(0, ...own.map(({ startedAt, endedAt }) => endedAt - startedAt))),
      lost.filter(({ startedAt }) => isHere(startedAt)).length,
      duplicated.filter(({ startedAt }) => isHere(startedAt)).length,
    ]);
  }
  say('');
  row(['caller or publisher', 'called or consumer', 'shown by', 'old and new', 'new and old']);
  row(['---', '---', '---', '---:', '---:']);
  let isEveryMixSeen = true;
  for (const pair of PAIRS) {
    const happened =
      pair.by === 'callback'
        ? callbacks
        : calls.filter(({ kind, problem }) => kind === pair.by && problem === undefined).map(({ endedAt }) => endedAt);
    const counts = [countMix(pair, ['old', 'new'], moments, happened), countMix(pair, ['new', 'old'], moments, happened)];
    isEveryMixSeen &&= counts.every((count) => count > 0);
    row([pair.from, pair.to, pair.by, ...counts]);
  }
  say('');
  const paid = load.promised.filter(({ isPaid }) => isPaid === true);
  const charges = paid.filter(({ isCharge }) => isCharge).length;
  const refunds = load.promised.filter(({ refundId }) => refundId !== undefined).length;
  say(
    `${String(paid.length - charges)} payments, ${String(charges)} charges, ${String(refunds)} refunds, ` +
      `${String(callbacks.length)} callbacks, ${String(load.streamed?.length ?? 'no')} events in the stream`,
  );
  const begin = steps[0]?.from ?? 0;
  for (const { kind, endedAt, startedAt, problem } of failures.slice(0, SENTENCES_MAX))
    say(`  failed after ${seconds(endedAt - startedAt)} s, ${seconds(endedAt - begin)} s from the start: ${kind}: ${problem ?? ''}`);
  for (const { sentence } of lost.slice(0, SENTENCES_MAX)) say(`  lost: ${sentence}`);
  for (const { sentence } of duplicated.slice(0, SENTENCES_MAX)) say(`  duplicated: ${sentence}`);
  for (const sentence of odd) say(`  odd: ${sentence}`);
  if (!isEveryMixSeen) say('  not every mix served something');
  return failures.length + lost.length + duplicated.length + odd.length === 0 && isEveryMixSeen;
}

const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(2);

const whole = (steps: readonly Step[]) => ({ from: steps[0]?.from ?? 0, to: (steps.at(-1)?.to ?? 0) + 1 });

/** The longest time of the step without an answered create: it may have begun before it, and end after it. */
function longestGap(creates: readonly number[], { from, to }: Omit<Step, 'name'>): number {
  const times = creates.toSorted((a, b) => a - b);
  return times.reduce((longest, at, index) => {
    const previous = times[index - 1] ?? at;
    return at < from || previous > to ? longest : Math.max(longest, at - previous);
  }, 0);
}
