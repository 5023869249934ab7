import { runProcess } from './run.ts';
import { createProgram } from './whole-program.ts';

await runProcess(createProgram());
