import { runCommand } from './bootstrap.mjs';

await runCommand('tools/monitoring/main.ts');
