import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/mutations/main.ts',
  `npm run test:mutations -- [--count <number>] [--seed <number>] [--commit <commit>]

Changes one place of the code after another, and names the changes that no test notices. Takes hours.`,
);
