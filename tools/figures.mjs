import { runCommand } from './bootstrap.mjs';

await runCommand(
  'services/console/test/figures.ts',
  `npm run figures

Prints how fast the console's first pages are.`,
);
