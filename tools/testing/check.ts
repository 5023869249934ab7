// npm run check: the steps that need no server and no browser.
import { parseArgs } from 'node:util';
import { conclude, QUICK, runLanes } from './checks.ts';

const { times } = parseArgs({ options: { times: { type: 'boolean', default: false } } }).values;
conclude(await runLanes(QUICK), { times });
