import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';

/** The lines of Node that the package runs on. */
export const NODE_MAJORS = [20, 22, 24] as const;

/**
 * A Node of each line that this machine has, by its major version: the one that runs, those of PATH, and those that
 * `tools/sdk/fetch-nodes.sh` got.
 */
export function findNodes(): ReadonlyMap<number, string> {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const fetched = globSync(join(LOCAL, 'nodes/*/node_modules/node-*/bin/node'));
  const found = new Map<number, string>();
  for (const node of [...fetched, process.execPath, ...onPath].filter((path) => existsSync(path))) {
    const major = Number(/^v(\d+)\./.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1]);
    if (!found.has(major)) found.set(major, node);
  }
  return found;
}
