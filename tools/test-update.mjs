import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/update/main.ts',
  `npm run test:update -- [--from <commit>]

Updates a system of the previous version under load, and rolls it back.`,
);
