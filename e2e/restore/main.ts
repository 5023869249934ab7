// `npm run drill:restore`: backs up a system under load, breaks its database, restores it to the second before, and
// brings books and bank together again. The figures go to docs/operate/proof.md.
import { endIfMissing, obtainProgram, printMissing } from '../../tools/infrastructure/obtain-program.ts';
import removeAbandoned from '../../tools/testing/abandoned.ts';
import { runDrill } from './drill.ts';
import { keepDrill, renderDrill } from './report.ts';
import { startDrillSystem, undoAll, type Undo } from './system.ts';

/** It takes three minutes on two free cores. */
const LIMIT_MS = 900_000;

const say = (line: string) => {
  process.stdout.write(`  ${line}\n`);
};

const undo: Undo[] = [];
let undoing: Promise<void> | undefined;
/** Whoever comes second waits for the first: what fails because everything is being removed must not end the process. */
const remove = () => (undoing ??= undoAll(undo));
const giveUp = (why: string) => {
  process.stderr.write(`${why}: everything is removed\n`);
  void remove().finally(() => process.exit(130));
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => {
    giveUp(name);
  });
const limit = setTimeout(() => {
  giveUp('it took too long');
}, LIMIT_MS);

await obtainProgram('pgbackrest', say).catch(endIfMissing);
await removeAbandoned();
try {
  const measured = await runDrill(await startDrillSystem(say, undo), say);
  process.stdout.write(`\n${renderDrill(measured)}\n`);
  await keepDrill(measured);
  if (measured.wrongs.length > 0) process.exitCode = 1;
} catch (error) {
  printMissing(error);
} finally {
  clearTimeout(limit);
  await remove();
}
