import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/system/reset.ts',
  `npm run reset

Stops everything that was started from this checkout, and removes its data, keys and logs.`,
);
