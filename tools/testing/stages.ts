import { containersProblem } from '../infrastructure/containers.ts';
import { jest, QUICK, runLanes, type StepResult } from './checks.ts';
import { obtainChromium } from './chromium.ts';
import { JOURNEYS, projectOf, testFiles } from './selection.ts';

const say = (line: string) => process.stdout.write(`  ${line}\n`);

/** Lint, types, unit and integration tests, and the main journeys through the running system. */
export async function runMain(): Promise<StepResult[]> {
  // Integration tests of the console's pages, among others, need a browser. If there is none, they say so.
  await obtainChromium(say).catch(() => undefined);
  // The unit tests are the longest of the quick steps: when the others end, there is room for the next ones.
  const [first = [], ...others] = QUICK;
  const results = await runLanes([[...first, jest('integration')], ...others]);
  results.push(...(await runLanes([[jest('e2e', JOURNEYS)]])));
  return results;
}

/** What must pass before a change lands, beside `runMain`: the other journeys, pages, faults, containers. */
export async function runRest(): Promise<StepResult[]> {
  const noContainers = await containersProblem();
  await obtainChromium(say).catch(() => undefined);
  const rest = testFiles().filter((file) => projectOf(file) === 'e2e' && !JOURNEYS.includes(file));
  // The running system leaves half of two processors idle, for those that bring what they need. All at once would meet
  // each other's delays.
  const results = await runLanes([[jest('e2e', rest)], [jest('faults'), jest('browser')]]);
  // Containers make networks, and a browser ends its requests whenever one comes or goes.
  if (noContainers === undefined) results.push(...(await runLanes([[jest('docker')]])));
  else process.stdout.write(`\n── compose: ${noContainers}, its test is skipped in this run\n`);
  return results;
}
