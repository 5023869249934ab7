import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/testing/test.ts',
  `npm test -- [--changed] [--times] [words]…

What shows that the system works (npm run test:all runs everything), or the test files whose path contains one of the words. --changed: those that a change affects. --times: what each step took.`,
);
