import { endIfMissing, obtainProgram } from '../infrastructure/obtain-program.ts';
import { checkRules, testRules } from './promtool.ts';

/** `npm run test:alerts`: checks the alert and recording rules and runs their tests, with promtool. */
const promtool = await obtainProgram('promtool', (line) => {
  process.stdout.write(`${line}\n`);
}).catch(endIfMissing);
process.stdout.write(await checkRules(promtool));
process.stdout.write(await testRules(promtool));
