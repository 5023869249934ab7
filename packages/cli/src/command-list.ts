import type { Command } from 'commander';
import { createProgram } from './whole-program.ts';

/** Every command with its arguments, options and description, as listed in docs/cli.md between two markers. */
export function renderCommandList(): string {
  return leavesOf(createProgram(), [])
    .map(({ path, command }) => {
      const options = command.options.map(({ flags, description }) =>
        description === '' ? `  - \`${flags}\`` : `  - \`${flags}\`: ${description}`,
      );
      return [`- \`pay ${path.join(' ')}\`: ${command.description()}`, ...options].join('\n');
    })
    .join('\n');
}

const START = '<!-- commands: written by packages/cli/src/write-command-list.ts -->';
const END = '<!-- end of commands -->';

/** The text with the list between the markers updated. @throws Error if a marker is missing */
export function withCommandList(text: string): string {
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start === -1 || end < start) throw new Error('docs/cli.md has lost the markers of its command list');
  return `${text.slice(0, start)}${START}\n\n${renderCommandList()}\n\n${text.slice(end)}`;
}

function leavesOf(command: Command, path: readonly string[]): { path: readonly string[]; command: Command }[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const args = child.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
      const childPath = [...path, child.name()];
      return child.commands.length > 0
        ? leavesOf(child, childPath)
        : [{ path: [...childPath, ...args], command: child }];
    });
}
