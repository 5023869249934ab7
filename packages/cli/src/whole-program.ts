import type { Command } from 'commander';
import { addOperatorCommands } from './operator/commands.ts';
import { createPartnerProgram } from './program.ts';

/** The whole command line, as it runs in the repository. */
export function createProgram(): Command {
  const program = createPartnerProgram();
  addOperatorCommands(program);
  return program;
}
