import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/restore/main.ts',
  `npm run drill:restore

Backs up a system of its own under load, breaks its database and restores it: about three minutes.`,
);
