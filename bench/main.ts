// `npm run bench`: every bench, one after another; `npm run bench -- <name>`: one; `npm run bench -- compare <A> <B>`: two
// result files side by side. Loopback only.
import { benchBacklog } from './backlog.ts';
import { benchBulkheads } from './bulkheads.ts';
import { benchCallbacks, benchIsolation } from './callbacks.ts';
import { benchFlood } from './flood.ts';
import { benchGrowth } from './growth.ts';
import { benchIdle } from './idle.ts';
import { benchLifecycle } from './lifecycle.ts';
import { benchMalformed } from './malformed.ts';
import { benchPayments } from './payments.ts';
import { benchPrograms } from './programs.ts';
import { benchRecurring } from './recurring.ts';
import { benchReplicas } from './replicas.ts';
import { benchSoak } from './soak.ts';
import { benchStart } from './start.ts';
import type { Report } from './figures.ts';
import { compareResults, openResults, readResults } from './results.ts';
import { machine } from './table.ts';
import { benchTrickle } from './trickle.ts';

const BENCHES: Readonly<Record<string, () => Promise<Report>>> = {
  payments: benchPayments,
  lifecycle: benchLifecycle,
  recurring: benchRecurring,
  start: benchStart,
  programs: benchPrograms,
  replicas: benchReplicas,
  flood: benchFlood,
  malformed: benchMalformed,
  bulkheads: benchBulkheads,
  callbacks: benchCallbacks,
  trickle: benchTrickle,
  isolation: benchIsolation,
  backlog: benchBacklog,
  growth: benchGrowth,
  soak: benchSoak,
  idle: benchIdle,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => BENCHES[name] === undefined);
if (names[0] === 'compare') compare(names.slice(1));
else if (unknown === undefined) await run();
else fail(`There is no bench ${unknown}. There are: ${Object.keys(BENCHES).join(', ')}, and compare.`);

async function run(): Promise<void> {
  const results = openResults();
  process.stdout.write(`${machine()}\n`);
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const report = await bench();
    process.stdout.write(`\n## ${name}\n\n${report.text}\n`);
    results.keep(name, report);
  }
  process.stdout.write(`\nFigures of this run: ${results.file}\n`);
}

function compare([before, after, ...more]: readonly string[]): void {
  if (before === undefined || after === undefined || more.length > 0) {
    fail('npm run bench -- compare takes two result files.');
    return;
  }
  try {
    process.stdout.write(`${compareResults(readResults(before), readResults(after))}\n`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
