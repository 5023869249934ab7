import { runCommand } from './bootstrap.mjs';

await runCommand('packages/cli/src/main.ts');
