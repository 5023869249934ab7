import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/monitoring/main.ts',
  `npm run test:alerts

Tries the rules of Prometheus with promtool.`,
);
