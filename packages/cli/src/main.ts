import { run } from './run.ts';
import { createProgram } from './whole-program.ts';

await run(createProgram());
