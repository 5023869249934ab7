import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/fuzz/main.ts');
