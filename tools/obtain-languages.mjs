import { runCommand } from './bootstrap.mjs';

await runCommand('tools/sdk/obtain-languages.ts');
