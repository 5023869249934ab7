import { mainOf } from '../tools/system/programs.ts';
import type { OwnProgram } from '../tools/system/state.ts';
import { withRange, type Report } from './figures.ts';
import { table } from './table.ts';
import { ROUNDS } from './rounds.ts';
import { withSystem, type World } from './world.ts';

const PROGRAMS: readonly OwnProgram[] = [
  'gateway',
  'payments',
  'checkout',
  'bindings',
  'withdrawals',
  'notifier',
  'console',
  'portal',
  'sandbox-bank',
];

/** How long each program takes from its start until it is ready, and what it uses for that. */
export const benchPrograms = (): Promise<Report> => withSystem({}, measure);

async function measure({ restart, usageOf }: World): Promise<Report> {
  const seen = new Map<OwnProgram, Started>(PROGRAMS.map((program) => [program, { readyMs: [], cpuMs: [], rssMiB: [] }]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [program, { readyMs, cpuMs, rssMiB }] of seen) {
      readyMs.push(await restart(program));
      const used = await usageOf(program);
      cpuMs.push(used.cpuMs);
      rssMiB.push(used.rssMiB);
    }
  }
  const text = [
    `Each program stopped and started alone, ${String(ROUNDS)} rounds; from the start of its process until \`/readyz\` says 200, with Node's compile cache; medians, and the range of the rounds.`,
    '',
    table(
      ['program', 'until ready, ms', 'processor time, ms', 'memory, MiB'],
      [...seen].map(([program, { readyMs, cpuMs, rssMiB }]) => [
        `${program} (\`${mainOf(program)}\`)`,
        ...[readyMs, cpuMs, rssMiB].map(withRange),
      ]),
    ),
  ].join('\n');
  const figures: Report['figures'] = [...seen].flatMap(([program, { readyMs, cpuMs, rssMiB }]) => [
    { name: `${program}, until ready`, unit: 'ms', better: 'lower' as const, values: readyMs },
    { name: `${program}, processor time until ready`, unit: 'ms', better: 'lower' as const, values: cpuMs },
    { name: `${program}, memory when ready`, unit: 'MiB', better: 'lower' as const, values: rssMiB },
  ]);
  return { text, figures };
}

type Started = { readonly readyMs: number[]; readonly cpuMs: number[]; readonly rssMiB: number[] };
