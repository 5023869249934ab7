// The drill itself, inside namespaces of its own: `main.ts` starts it.
import { setTimeout as wait } from 'node:timers/promises';
import { Job } from './job.ts';
import { makeNetwork } from './network.ts';
import { ROWS } from './rows.ts';
import type { Result } from './report.ts';
import { runRow } from './run-row.ts';
import { startDrill } from './system.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
/** Warm-up, fault, return of the host and comparison: each has a limit of its own, and together they are below this. */
const ROW_MS = 360_000;

const job = Job.parse(JSON.parse(process.argv[2] ?? ''));
makeNetwork(job.data);
const drill = await startDrill({
  ...job,
  log: (line) => {
    say(`  ${line}`);
  },
});
for (const row of ROWS.filter(({ name }) => job.rows.includes(name))) {
  say(`${row.name}: ${row.fault}`);
  const result: Result | undefined = await Promise.race([runRow(drill, row), wait(ROW_MS, undefined, { ref: false })]).catch(
    (error: unknown) => {
      say(String(error));
      return undefined;
    },
  );
  // Later rows would find what this one left behind.
  if (result === undefined) process.exit(1);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
// Servers and services end with this process.
process.exit(0);
