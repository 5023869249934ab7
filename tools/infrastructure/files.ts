import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads what `writePrivateJson` wrote; undefined if it does not exist or cannot be read. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a file that only its owner can read, atomically: a reader sees the old content or the new, never half. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.${String(process.pid)}.${randomBytes(4).toString('hex')}`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}

/** `writePrivate` for a value. */
export function writePrivateJson(path: string, value: unknown): void {
  writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** A short id for a folder, which marks what is stored outside of it (containers, a fallback folder) as its own. */
export function folderId(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 10);
}
