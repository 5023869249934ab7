import { runCommand } from './bootstrap.mjs';

await runCommand('services/console/src/docs/build.ts');
