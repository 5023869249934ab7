import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/fuzz/main.ts',
  `npm run fuzz -- [count] [seed]

Sends 10,000 signed requests made from docs/openapi.json, or the count, to the system that npm start runs.`,
);
