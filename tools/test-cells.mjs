import { runCommand } from './bootstrap.mjs';

await runCommand('e2e/cells/main.ts');
