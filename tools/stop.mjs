import { runCommand } from './bootstrap.mjs';

await runCommand('tools/system/stop.ts');
