import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/monitoring/main.ts');
