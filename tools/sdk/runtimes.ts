import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';

/** The lines of Node that the package runs on. */
const NODE_MAJORS = [20, 22, 24] as const;

/** What runs a partner's JavaScript: its name, and how it starts a file; undefined if it is not on this machine. */
export type Runtime = { readonly name: string; readonly command: readonly [string, ...string[]] | undefined };

/** Every runtime that the package is for. `tools/sdk/fetch-runtimes.sh` gets those that are missing. */
export function runtimes(): readonly Runtime[] {
  const nodes = findNodes();
  const fetched = (name: string, ...args: string[]): Runtime => {
    const program = join(LOCAL, 'runtimes/others/node_modules/.bin', name);
    return { name, command: existsSync(program) ? [program, ...args] : undefined };
  };
  return [
    ...NODE_MAJORS.map((major): Runtime => {
      const node = nodes.get(major);
      return { name: `Node ${String(major)}`, command: node === undefined ? undefined : [node] };
    }),
    fetched('bun'),
    fetched('deno', 'run', '--allow-all'),
  ];
}

/**
 * A Node of each line that this machine has, by its major version: the one that runs, those of PATH, and those that
 * `tools/sdk/fetch-runtimes.sh` got.
 */
export function findNodes(): ReadonlyMap<number, string> {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const fetched = globSync(join(LOCAL, 'runtimes/*/node_modules/node-*/bin/node'));
  const found = new Map<number, string>();
  for (const node of [...fetched, process.execPath, ...onPath].filter((path) => existsSync(path))) {
    const major = Number(/^v(\d+)\./.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1]);
    if (!found.has(major)) found.set(major, node);
  }
  return found;
}
