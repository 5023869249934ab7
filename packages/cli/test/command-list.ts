import type { Command } from 'commander';
import { createProgram } from '../src/whole-program.ts';

/** Every command with its arguments, options and description, a line each: what tests compare documents with. */
export function commandList(): string {
  return leavesOf(createProgram(), [])
    .map(({ path, command }) => {
      const options = command.options.map(({ flags, description }) =>
        description === '' ? `  - \`${flags}\`` : `  - \`${flags}\`: ${description}`,
      );
      return [`- \`pay ${path.join(' ')}\`: ${command.description()}`, ...options].join('\n');
    })
    .join('\n');
}

function leavesOf(command: Command, path: readonly string[]): { path: readonly string[]; command: Command }[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const args = child.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
      const childPath = [...path, child.name()];
      return child.commands.length > 0 ? leavesOf(child, childPath) : [{ path: [...childPath, ...args], command: child }];
    });
}
