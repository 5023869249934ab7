import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/restore/main.ts');
