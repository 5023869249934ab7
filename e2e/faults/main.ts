// `npm run test:faults`: every row of the table; `npm run test:faults -- <row> …`: only these. Results are added to
// docs/operate/faults.json, from which docs/operate/faults.md is generated.
import { keepCompleteRun, keepOutcome, outcomeOf, renderRow, type Outcome } from './report.ts';
import { ROWS } from './rows.ts';
import { startFaultSystem, type FaultSystem } from './system.ts';
import { runRow, type Result, type Row } from './table.ts';

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};
/** Reported failures per row. */
const SENTENCES_MAX = 10;

async function runRows(rows: readonly Row[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let system: FaultSystem | undefined;
  const remove = async () => {
    await system?.remove();
    system = undefined;
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      void remove().finally(() => process.exit(130));
    });
  try {
    for (const row of rows) {
      if (system === undefined) {
        system = await startFaultSystem((line) => {
          say(`  ${line}`);
        });
        await system.separateBank();
      }
      const problem = row.problem?.(system);
      if (problem !== undefined) {
        say(`| ${row.name} | not tried: ${problem} |`);
        continue;
      }
      const result = await runRow(system, row).catch((error: unknown) => brokenBy(error));
      const outcome = outcomeOf(row, result, new Date());
      outcomes.push(outcome);
      say(renderRow(row, [outcome]));
      const sentences = [...result.lost, ...result.twice, ...result.late];
      for (const sentence of sentences.slice(0, SENTENCES_MAX)) say(`    ${sentence}`);
      await keepOutcome(ROWS, row.name, outcome);
      // Anything inconsistent would be found again by later rows.
      if (!outcome.ok) await remove();
    }
  } finally {
    await remove();
  }
  return outcomes;
}

/** A row that could not be completed: what it left behind needs a person. */
function brokenBy(error: unknown): Result {
  const message = Error.isError(error) ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${message}\n`);
  const [line = ''] = (Error.isError(error) ? error.message : message).split('\n');
  const person = [`the row broke: ${line}`];
  return { accepted: 0, lost: [], twice: [], late: [], stuckSeconds: undefined, person };
}

const names = process.argv.slice(2);
const unknown = names.find((name) => ROWS.every((row) => row.name !== name));
if (unknown !== undefined) {
  process.stderr.write(`There is no row ${unknown}. There are: ${ROWS.map(({ name }) => name).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const startedAt = new Date();
  const outcomes = await runRows(ROWS.filter(({ name }) => names.length === 0 || names.includes(name)));
  const ok = outcomes.filter((outcome) => outcome.ok).length;
  const minutes = (Date.now() - startedAt.getTime()) / 60_000;
  const run = { at: startedAt.toISOString(), rows: outcomes.length, ok, minutes: Math.round(minutes * 10) / 10 };
  if (names.length === 0) await keepCompleteRun(ROWS, run);
  say(`${run.at}: ${String(run.rows)} rows, ${String(run.ok)} ok, ${run.minutes.toFixed(1)} min`);
  if (ok < outcomes.length) process.exitCode = 1;
}
