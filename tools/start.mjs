import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/system/start.ts',
  `npm start -- [--detach] [--replicas <service>=<count>,…]

Starts the whole system, and pays once. --detach: it goes on when the command ends.`,
);
