import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/testing/test-all.ts',
  `npm run test:all -- [--after-test] [--times]

Everything that must pass before a change lands. --after-test: without what npm test runs. --times: what each step took.`,
);
