import { runCommand } from './bootstrap.mjs';

await runCommand('tools/cells/main.ts');
