import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/cli/main.ts',
  `npm run build:cli -- [--executable] [folder]

Makes the command line of partners as a package in packages/cli/dist, or in the folder; --executable: as one program for this machine.`,
);
