// npm test: everything that must pass.
import { containersProblem } from '../infrastructure/containers.ts';
import {
  BROWSER_TYPES,
  conclude,
  CONSOLE_TYPES,
  DEAD_CODE,
  FORMAT,
  jest,
  LINT,
  RULES,
  runLanes,
  TYPES,
} from './checks.ts';
import { obtainChromium } from './chromium.ts';

const noContainers = await containersProblem();
const results = await runLanes([
  [LINT, RULES],
  [FORMAT, TYPES, BROWSER_TYPES, CONSOLE_TYPES, DEAD_CODE, jest('unit', '--maxWorkers=1')],
]);
// These use the whole machine: a third waits while two count.
results.push(...(await runLanes([[jest('integration', '--maxWorkers=3')]])));
// Two need a browser: it is there before they begin. Where it is not to be had, they say so.
await obtainChromium((line) => process.stdout.write(`  ${line}\n`)).catch(() => undefined);
results.push(
  ...(await runLanes([[jest('e2e', '--runInBand')], [jest('browser', '--runInBand'), jest('faults', '--runInBand')]])),
);
if (noContainers === undefined) results.push(...(await runLanes([[jest('docker', '--runInBand')]])));
else process.stdout.write(`\n── compose: ${noContainers}, its test is not part of this run\n`);
conclude(results);
