// `npm run fuzz -- [count] [seed]`: signed requests made from docs/openapi.json against the system that `npm start` runs.
// Exit status 1 if a response is not as documented.
import { LOCAL } from '../../tools/infrastructure/folders.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { openWorld } from '../world.ts';
import { fuzz } from './fuzz.ts';
import { fuzzOperators } from './operators.ts';

/** The first ones: the others are often the same. */
const FAULTS_SHOWN = 20;

const given = process.argv.slice(2);
const [count = 10_000, seed = 1] = given.map(Number);
if (given.length > 2 || ![count, seed].every((one) => Number.isSafeInteger(one) && one > 0)) {
  process.stderr.write('npm run fuzz -- [count] [seed]: two positive integers at most\n');
  process.exit(2);
}
const world = await openWorld(runningSystem(LOCAL));
try {
  const { answers, faults: partners } = await fuzz(world, count, seed);
  const operators = await fuzzOperators(world);
  const faults = [...partners, ...operators.faults];
  const counts = Object.entries(answers)
    .sort()
    .map(([name, times]) => `${String(times).padStart(7)}  ${name}`);
  const sum = `${String(count)} requests, seed ${String(seed)}, and ${String(operators.asked)} of an operator: ${String(faults.length)} responses that are not as documented`;
  process.stdout.write([...counts, ...faults.slice(0, FAULTS_SHOWN).map((fault) => `\n${fault}`), '', sum, ''].join('\n'));
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await world.close();
}
