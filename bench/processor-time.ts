import { withRange } from './figures.ts';
import type { Round } from './rounds.ts';
import { table } from './table.ts';
import { serversOf, watchUsage, type Usage } from './usage.ts';
import { serverMarks, type World } from './world.ts';

/** What each group of processes has used since the watch began. */
export type Usages = ReadonlyMap<string, Usage>;

/** Watches the programs of the system, its servers, this process (the load's generator), and others by name. Linux only. */
export async function watchEverything(
  { state, servers }: World,
  others: Readonly<Record<string, { readonly pid: number }>>,
): Promise<() => Promise<Usages>> {
  const marks = await serverMarks(servers);
  const named = Object.entries(others).map(([name, { pid }]) => [pid, name] as const);
  const programs = state.processes.map(({ program, record }) => [record.pid, program] as const);
  const read = watchUsage(() => new Map([...serversOf(marks), ...programs, ...named, [process.pid, 'generator']]));
  return () => Promise.resolve(read());
}

/** Where the processor time of a request goes: a column for each kind of request, those first that use most. */
export function processorTimeTable(kinds: readonly (readonly [string, readonly Round<Usages>[]])[]): string {
  const groups = new Set(kinds.flatMap(([, rounds]) => rounds.flatMap(({ after }) => [...after.keys()])));
  const rows = [...groups].map((group) => [group, kinds.map(([, rounds]) => msOfOne(group, rounds))] as const);
  const whole = kinds.map(([, rounds]) => rounds.map((round) => sum([...groups].map((group) => sum(msOfOne(group, [round]))))));
  const most = (values: readonly (readonly number[])[]) => Math.max(...values.flat());
  return table(
    ['processor time, ms', ...kinds.map(([kind]) => kind)],
    [['all', whole] as const, ...rows.toSorted(([, a], [, b]) => most(b) - most(a))]
      .filter(([, values]) => most(values) >= 0.005)
      .map(([group, values]) => [group, ...values.map(withRange)]),
  );
}

/** Milliseconds of a group for each request, round by round. */
export const msOfOne = (group: string, rounds: readonly Round<Usages>[]): number[] =>
  rounds.map(({ before, after, load }) => ((after.get(group)?.cpuMs ?? 0) - (before.get(group)?.cpuMs ?? 0)) / load.done);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
