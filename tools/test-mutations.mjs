import { runCommand } from './bootstrap.mjs';

await runCommand('tools/mutations/main.ts');
