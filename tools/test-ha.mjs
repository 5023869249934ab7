import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/ha/main.ts',
  `npm run test:ha -- [row]…

Loses hosts of a cluster under load: every row of the table, or those that are named. Needs root and Linux.`,
);
