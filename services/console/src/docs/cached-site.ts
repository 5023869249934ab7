import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const MAKER = fileURLToPath(new URL('make-site.ts', import.meta.url));
/** Everything that the site is made of. */
const SOURCES = [
  'docs',
  'services/console/src/docs',
  'packages/contract/src',
  'packages/sdk/src',
  'packages/shared/src',
  'packages/signing/src',
  'pnpm-lock.yaml',
];

/** The documentation as the console serves it: files by path, each also compressed. */
export type Site = {
  /** Whether the site has a file. */
  readonly has: (path: string) => boolean;
  /** A file's bytes, compressed if `gzip`; undefined once somebody made a newer site, which removes this one. */
  readonly read: (path: string, encoding: 'identity' | 'gzip') => Promise<Buffer | undefined>;
};

/**
 * The site of the current sources: the one in `dist/`, or one that is made now, in a second or two and by a process of its
 * own, because what makes it needs more memory than what serves it. The image contains it. See decisions/console-pages.
 */
export async function obtainSite(): Promise<Site> {
  const folder = folderOfSources();
  if (!existsSync(folder)) await promisify(execFile)(process.execPath, [MAKER], { env: {} });
  return siteIn(folder);
}

/** The site that a folder holds. */
export function siteIn(folder: string): Site {
  const files = new Set(filesIn(folder));
  return {
    has: (path) => files.has(path) && files.has(`${path}.gz`),
    read: async (path, encoding) => {
      if (!files.has(path)) throw new Error(`the documentation has no ${path}`);
      return await readFile(join(folder, encoding === 'gzip' ? `${path}.gz` : path)).catch((error: unknown) => {
        if (!existsSync(folder)) return undefined;
        throw error;
      });
    },
  };
}

/** Makes the site unless it is there. Returns how many files it has and their bytes, compressed ones included. */
export async function makeSite(): Promise<{ readonly files: number; readonly bytes: number }> {
  const folder = folderOfSources();
  if (!existsSync(folder)) await make(folder);
  const files = filesIn(folder);
  return { files: files.length, bytes: files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0) };
}

/** Renamed when it is whole: two processes may make it at once, and a killed one leaves nothing half done. */
async function make(folder: string): Promise<void> {
  const { writeSite } = await import('./write-site.ts');
  const draft = join(DIST, `draft-${randomBytes(6).toString('hex')}`);
  mkdirSync(draft, { recursive: true });
  await writeSite(draft, { isCompressed: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  for (const name of readdirSync(DIST))
    if (name.startsWith('docs-') && join(DIST, name) !== folder) rmSync(join(DIST, name), { recursive: true, force: true });
}

function folderOfSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    for (const path of filesIn(join(REPOSITORY, source))) hash.update(path).update(readFileSync(join(REPOSITORY, source, path)));
  return join(DIST, `docs-${hash.digest('hex').slice(0, 16)}`);
}

/** The files of a folder in a fixed order, without tests; for a file, itself. */
function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [''];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length).replaceAll('\\', '/').replace(/^\//, ''))
    .sort();
}
