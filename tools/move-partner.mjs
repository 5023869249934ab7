import { runCommand } from './bootstrap.mjs';

await runCommand('tools/cells/move/main.ts');
