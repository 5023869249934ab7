import { run } from './run.ts';
import { createProgram } from './whole-program.ts';

process.exitCode = await run(createProgram(), process.argv.slice(2));
