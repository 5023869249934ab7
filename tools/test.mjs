import { runCommand } from './bootstrap.mjs';

await runCommand('tools/testing/test.ts');
