import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/ha/main.ts');
