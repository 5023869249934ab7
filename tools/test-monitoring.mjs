import { runCommand } from './bootstrap.mjs';

await runCommand(
  'e2e/monitoring/main.ts',
  `npm run test:monitoring -- [words]…

Makes every alert fire with a real Prometheus, or those whose name contains one of the words.`,
);
