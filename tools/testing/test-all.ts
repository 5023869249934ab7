// npm run test:all: everything that must pass before a change lands; with --after-test, without what `npm test` ran.
import { parseArgs } from 'node:util';
import { conclude } from './checks.ts';
import { runMain, runRest } from './stages.ts';

const { values } = parseArgs({
  options: { 'after-test': { type: 'boolean', default: false }, times: { type: 'boolean', default: false } },
});
const main = values['after-test'] ? [] : await runMain();
conclude([...main, ...(await runRest())], values);
