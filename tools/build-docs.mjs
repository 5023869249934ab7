import { runCommand } from './bootstrap.mjs';

await runCommand(
  'services/console/src/docs/build.ts',
  `npm run docs:build -- [folder]

Writes the documentation as files to artifacts/docs, or to the folder.`,
);
