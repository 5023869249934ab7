import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/faults/main.ts');
