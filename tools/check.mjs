import { runCommand } from './bootstrap.mjs';

await runCommand('tools/testing/check.ts');
