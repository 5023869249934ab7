import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/cells/main.ts',
  `npm run test:cells

Moves a partner between two systems under load.`,
);
