import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/system/stop.ts',
  `npm stop

Stops everything that was started from this checkout. The data stays.`,
);
