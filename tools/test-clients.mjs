import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/clients/main.ts',
  `npm run test:clients -- [generator]…

Generates clients from docs/openapi.json, and sends 100,004 amounts through each.`,
);
