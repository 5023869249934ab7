import { runCommand } from './bootstrap.mjs';

await runCommand(
  'bench/main.ts',
  `npm run bench -- [bench]… | compare <file> <file>

Times the running of payments, callbacks and others, one bench after another, or those that are named; or compares two files of figures.`,
);
