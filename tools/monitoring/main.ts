import { checkRules, obtainPromtool, testRules } from './promtool.ts';

/** `npm run test:alerts`: checks the alert and recording rules and runs their tests, with promtool. */
const promtool = await obtainPromtool((line) => {
  process.stdout.write(`${line}\n`);
});
process.stdout.write(await checkRules(promtool));
process.stdout.write(await testRules(promtool));
