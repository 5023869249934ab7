import { runCommand } from './bootstrap.mjs';

await runCommand('tools/chart/main.ts');
