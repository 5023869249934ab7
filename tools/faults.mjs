import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/faults/main.ts',
  `npm run test:faults -- [row]…

Breaks each part of a system of its own, or does the rows of docs/faults.md that are named.`,
);
