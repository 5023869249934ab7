import { runCommand } from './bootstrap.mjs';

await runCommand(
  'services/console/test/pictures.ts',
  `npm run pictures -- [--accept]

Draws every page and state of the console into artifacts/pictures. --accept: makes the small pictures anew that the tests compare with.`,
);
