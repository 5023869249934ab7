import { runCommand } from './bootstrap.mjs';

await runCommand('tools/system/reset.ts');
