import { runCommand } from './bootstrap.mjs';

await runCommand('tools/clients/main.ts');
