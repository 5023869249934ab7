import { createPartnerProgram } from './program.ts';
import { run } from './run.ts';

// The package that partners install begins here: tools/cli/pack.ts.
await run(createPartnerProgram());
