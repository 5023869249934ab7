import { runCommand } from './bootstrap.mjs';

await runCommand('packages/sdk/src/cli/main.ts');
