import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/cells/move/main.ts',
  `npm run move:partner -- --settings <file> --partner <partnerID> [--check | --release] [--drain-minutes <number>]

Moves a partner to another cell: docs/deploy/cells.md.`,
);
