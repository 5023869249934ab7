import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/testing/check.ts',
  `npm run check -- [--times]

The quick part of npm test. --times: what each step took.`,
);
