// npm test: what shows that the system works, or the test files whose path contains one of the words; with --changed, those
// that the current change affects; with --times: also the durations of each step and of the slowest files.
import { parseArgs } from 'node:util';
import { TEST_FOLDER } from '../infrastructure/folders.ts';
import { startInfrastructure } from '../infrastructure/infrastructure.ts';
import { conclude, jest, runLanes, type StepResult } from './checks.ts';
import { changedTests, matching, projectOf, PROJECTS, testFiles } from './selection.ts';
import { runMain } from './stages.ts';

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`  ${line}\n`);

/** One project after the other. The servers stay up for the next run, whoever started them; `npm stop` stops them. */
async function runFiles(files: readonly string[]): Promise<StepResult[]> {
  if (files.some((file) => projectOf(file) === 'integration')) await keepServers();
  const steps = PROJECTS.flatMap((project) => {
    const own = files.filter((file) => projectOf(file) === project);
    return own.length === 0 ? [] : [jest(project, own)];
  });
  return await runLanes([steps]);
}

async function keepServers(): Promise<void> {
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') return;
  const { databaseUrl, amqpUrl, managementUrl } = await startInfrastructure({ folder: TEST_FOLDER, log: say, purpose: 'test' });
  if (managementUrl === undefined) throw new Error('unset DATABASE_URL and AMQP_URL: tests need servers of their own');
  Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_AMQP_URL: amqpUrl, TEST_MANAGEMENT_URL: managementUrl });
}

const selected = matching(testFiles(), words);
if (selected.unknown.length > 0) {
  process.stdout.write(`No test file has this in its path: ${selected.unknown.join(', ')}\n`);
  process.exitCode = 1;
} else {
  const isPart = words.length > 0 || values.changed;
  const files = [...new Set([...selected.files, ...(values.changed ? changedTests() : [])])];
  conclude(isPart ? await runFiles(files) : await runMain(), values);
}
