import { runCommand } from './bootstrap.mjs';

await runCommand('bench/main.ts');
