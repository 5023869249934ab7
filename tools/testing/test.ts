// npm test: everything that must pass. With words: the test files whose path contains one of them; with --changed: those
// that the current change affects; with --times: also the durations of each step and of the slowest files.
import { parseArgs } from 'node:util';
import { containersProblem } from '../infrastructure/containers.ts';
import { TEST_FOLDER } from '../infrastructure/folders.ts';
import { startInfrastructure } from '../infrastructure/infrastructure.ts';
import { conclude, jest, QUICK, runLanes, type StepResult } from './checks.ts';
import { obtainChromium } from './chromium.ts';
import { changedTests, matching, projectOf, PROJECTS, testFiles } from './selection.ts';

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false }, times: { type: 'boolean', default: false } },
});
const say = (line: string) => process.stdout.write(`  ${line}\n`);

async function runEverything(): Promise<StepResult[]> {
  const noContainers = await containersProblem();
  // Integration tests of the console's pages, among others, need a browser. If there is none, they say so.
  await obtainChromium(say).catch(() => undefined);
  // The unit tests are the longest of the quick steps: when the others end, there is room for the next ones.
  const [first = [], ...others] = QUICK;
  const results = await runLanes([[...first, jest('integration')], ...others]);
  // The running system leaves half of two processors idle, for those that bring what they need. All at once would meet
  // each other's delays.
  results.push(...(await runLanes([[jest('e2e')], [jest('faults'), jest('browser')]])));
  // Containers make networks, and a browser ends its requests whenever one comes or goes (ADR 0263).
  if (noContainers === undefined) results.push(...(await runLanes([[jest('docker')]])));
  if (noContainers !== undefined)
    process.stdout.write(`\n── compose: ${noContainers}, its test is skipped in this run\n`);
  return results;
}

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
  const { databaseUrl, amqpUrl, managementUrl } = await startInfrastructure({ folder: TEST_FOLDER, log: say, purpose: 'test' }); // prettier-ignore
  if (managementUrl === undefined) throw new Error('unset DATABASE_URL and AMQP_URL: tests need servers of their own');
  Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_AMQP_URL: amqpUrl, TEST_MANAGEMENT_URL: managementUrl }); // prettier-ignore
}

const selected = matching(testFiles(), words);
if (selected.unknown.length > 0) {
  process.stdout.write(`No test file has this in its path: ${selected.unknown.join(', ')}\n`);
  process.exitCode = 1;
} else {
  const isPart = words.length > 0 || values.changed;
  const files = [...new Set([...selected.files, ...(values.changed ? changedTests() : [])])];
  conclude(isPart ? await runFiles(files) : await runEverything(), values);
}
