import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/update/main.ts');
