// npm run check: what needs no server and no browser.
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

conclude(
  await runLanes([
    [LINT, RULES],
    [FORMAT, TYPES, BROWSER_TYPES, CONSOLE_TYPES, DEAD_CODE, jest('unit', '--maxWorkers=1')],
  ]),
);
