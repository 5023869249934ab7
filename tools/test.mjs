import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/testing/test.ts',
  `npm test -- [--changed] [--times] [words]…

Everything that must pass, or the test files whose path contains one of the words. --changed: those that a change affects. --times: what each step took.`,
);
