import { runCommand } from './bootstrap.mjs';

await runCommand('tools/sdk/main.ts');
