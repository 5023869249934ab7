import { createPartnerProgram } from './program.ts';
import { runProcess } from './run.ts';

// The package and the executable that partners get begin here: tools/cli/pack.ts. Node starts an executable's script as CommonJS,
// which cannot await here.
void runProcess(createPartnerProgram());
