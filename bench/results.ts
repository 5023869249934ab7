import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LOCAL, ROOT } from '../tools/infrastructure/folders.ts';
import { median, verdict, withRange, type Figure, type Report } from './figures.ts';
import { machine, table } from './table.ts';

/** One file for each run: `.local/bench-results/<start>-<commit>.json`. */
const FOLDER = join(LOCAL, 'bench-results');

const FigureRead = z.object({
  name: z.string(),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  values: z.array(z.number()).min(1),
});

const Results = z.object({
  /** Short; with `+` if the checkout had changes that are in no commit. */
  commit: z.string(),
  machine: z.string(),
  node: z.string(),
  startedAt: z.iso.datetime(),
  benches: z.record(z.string(), z.array(FigureRead)),
});
export type Results = z.infer<typeof Results>;

/** Keeps the figures of one run; the file is complete after each bench. */
export function openResults(): { readonly file: string; keep(bench: string, report: Report): void } {
  const startedAt = new Date().toISOString();
  const commit = commitOf();
  const benches: Results['benches'] = {};
  const file = join(FOLDER, `${startedAt.replaceAll(':', '-').slice(0, 19)}-${commit.replace('+', '-changed')}.json`);
  return {
    file,
    keep(bench, { figures }) {
      benches[bench] = figures.map((figure) => ({ ...figure, values: [...figure.values] }));
      mkdirSync(FOLDER, { recursive: true });
      const results: Results = { commit, machine: machine(), node: process.version, startedAt, benches };
      writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
    },
  };
}

/**
 * The results of a run, by the path of its file or by its name in `.local/bench-results`.
 * @throws Error if there is no such file, or it is of another kind
 */
export function readResults(name: string): Results {
  const file = [name, join(FOLDER, name), join(FOLDER, `${name}.json`)].find((path) => existsSync(path));
  if (file === undefined) throw new Error(`there is no result file ${name}, and none of that name in ${FOLDER}`);
  return Results.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Two runs side by side: every figure that both have. */
export function compareResults(before: Results, after: Results): string {
  const rows = Object.entries(after.benches).flatMap(([bench, figures]) =>
    figures.flatMap((figure) => {
      const earlier = before.benches[bench]?.find(({ name }) => name === figure.name);
      return earlier === undefined ? [] : [rowOf(bench, earlier, figure)];
    }),
  );
  const sides = [before, after].map((run, index) => {
    const letter = index === 0 ? 'A' : 'B';
    return `${letter}: ${run.commit}, ${run.startedAt}, ${run.node}, ${run.machine}`;
  });
  return [...sides, '', table(['figure', 'A', 'B', 'B ÷ A', 'B is'], rows)].join('\n');
}

function rowOf(bench: string, before: Figure, after: Figure): string[] {
  const share = median(after.values) / median(before.values);
  const unit = after.unit === '' ? '' : `, ${after.unit}`;
  return [
    `${bench}: ${after.name}${unit}`,
    withRange(before.values),
    withRange(after.values),
    Number.isFinite(share) ? share.toFixed(2) : '–',
    verdict(before, after),
  ];
}

function commitOf(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
  } catch {
    // A copy without its history.
    return 'unknown';
  }
}
