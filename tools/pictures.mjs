import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/pictures/pictures.ts',
  `npm run pictures -- [--accept] [album …]

Draws every page and state into artifacts/pictures, or those of the named albums: buyer, console, portal, docs. --accept: makes the small pictures anew that the tests compare with.`,
);
