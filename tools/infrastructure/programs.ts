import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program, as a shell would find it, including the system's administration folders. */
export function programOnPath(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
