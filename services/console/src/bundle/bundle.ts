import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages' script and styles, as browsers load them. */
export type Bundle = { readonly script: Asset; readonly style: Asset };
/** Named by its content, so that a browser may cache it forever. */
export type Asset = { readonly path: string; readonly bytes: Buffer };

const WEB = fileURLToPath(new URL('../web/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../packages/', import.meta.url));
/**
 * The modules of packages that run in a browser; `pages-take-types-and-states` allows no more
 * (.dependency-cruiser.cjs).
 */
const SHARED_WITH_PAGES = [
  'contract/src/states.ts',
  'contract/src/operator/states.ts',
  'shared/src/content/masked-digits.ts',
  'shared/src/operators/roles.ts',
].map((path) => join(PACKAGES, path));
const LOCKFILE = fileURLToPath(new URL('../../../../pnpm-lock.yaml', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/**
 * The current bundle of the pages: the one in `dist/`, or a new one if the sources or the lockfile have changed since.
 * The image contains it; elsewhere it is built in a second or two. ADR 0061.
 */
export async function obtainBundle(): Promise<Bundle> {
  const folder = join(DIST, sourceHash());
  if (!existsSync(folder)) await build(folder);
  return { script: asset(folder, 'console.js'), style: asset(folder, 'console.css') };
}

function sourceHash(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|css)$/.test(path))
    .sort()
    .map((path) => join(WEB, path));
  for (const path of [...sources, ...SHARED_WITH_PAGES, fileURLToPath(import.meta.url)])
    hash.update(path.slice(WEB.length)).update(readFileSync(path));
  if (existsSync(LOCKFILE)) hash.update(readFileSync(LOCKFILE));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Written to a temporary folder and renamed: two processes may build at once, and a killed build leaves nothing half
 * done.
 */
async function build(folder: string): Promise<void> {
  const { build: bundle } = await import('esbuild');
  const { outputFiles } = await bundle({
    entryPoints: { console: join(WEB, 'main.tsx') },
    bundle: true,
    minify: true,
    write: false,
    outdir: folder,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'silent',
  });
  const draft = join(DIST, `draft-${randomBytes(6).toString('hex')}`);
  mkdirSync(draft, { recursive: true });
  for (const file of outputFiles)
    writeFileSync(join(draft, file.path.endsWith('.css') ? 'console.css' : 'console.js'), file.contents);
  for (const name of readdirSync(DIST)) {
    const old = join(DIST, name);
    if (old !== draft && !name.startsWith('draft-')) rmSync(old, { recursive: true, force: true });
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function asset(folder: string, name: string): Asset {
  const bytes = readFileSync(join(folder, name));
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { path: `/assets/${digest}-${name}`, bytes };
}
