import { runCommand } from './bootstrap.mjs';

await runCommand('tools/cli/main.ts');
