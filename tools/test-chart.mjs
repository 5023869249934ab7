import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/chart/main.ts',
  `npm run test:chart -- [--write] [--cluster]

Lints, renders and validates the chart. --write: keeps what it renders. --cluster: gives all manifests to an API server.`,
);
