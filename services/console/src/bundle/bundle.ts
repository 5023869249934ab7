import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { commonApart, smallShared } from './common.ts';
import { pageStyles } from './styles.ts';

/** The pages' scripts and styles, as browsers load them. */
export type Bundle = {
  /** Every file, by the path that the document or another script names. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** Path of the script that starts the pages. */
  readonly script: string;
  readonly style: string;
  /** For each file in the folder `pages`, without its extension: the paths of the scripts that it needs beside `script`. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** The paths of the scripts with the Russian texts; empty if the pages have none. */
  readonly russian: readonly string[];
};

/** Named by its content, so that a browser may cache it forever; compressed once, when it is built. */
export type Asset = {
  readonly type: 'text/javascript' | 'text/css';
  readonly bytes: Readonly<Record<'identity' | 'gzip' | 'br', Buffer>>;
};

/**
 * Whose pages: the operators' console, or the partner portal, which has a process and an origin of its own
 * (decisions/portal-sessions).
 */
export type Pages = 'console' | 'portal';
/** Where the script and the folder `pages` of each are, below `web/`. */
const FOLDERS: Readonly<Record<Pages, string>> = { console: '', portal: 'portal/' };

const WEB = fileURLToPath(new URL('../web/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../packages/', import.meta.url));
/**
 * The modules of packages that run in a browser; `pages-take-types-and-states` allows no more
 * (.dependency-cruiser.cjs).
 */
const SHARED_WITH_PAGES = [
  'contract/src/states.ts',
  'contract/src/operator/states.ts',
  'contract/src/operator/transfer-networks.ts',
  'shared/src/content/card-data.ts',
  'shared/src/content/card-number.ts',
  'shared/src/content/iban.ts',
  'shared/src/content/masked-digits.ts',
  'shared/src/content/plain-text.ts',
  'shared/src/content/security-code.ts',
  'shared/src/operators/roles.ts',
  'shared/src/time/day.ts',
  'signing/src/key-text.ts',
].map((path) => join(PACKAGES, path));
const BUILDERS = ['bundle.ts', 'common.ts', 'styles.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const LOCKFILE = fileURLToPath(new URL('../../../../pnpm-lock.yaml', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

const INDEX = 'index.json';
/** Loaded by `text.ts` alone. */
const RUSSIAN = 'texts/russian.ts';
const Index = z.object({
  script: z.string(),
  style: z.string(),
  pages: z.record(z.string(), z.array(z.string())),
  russian: z.array(z.string()),
});
type Index = z.infer<typeof Index>;

/**
 * The current bundle of these pages: the one in `dist/`, or a new one if the sources or the lockfile have changed since.
 * The image contains it; elsewhere it is built in a second or two. See decisions/console-pages.
 */
export async function obtainBundle(pages: Pages): Promise<Bundle> {
  const folder = join(DIST, `${pages}-${sourceHash()}`);
  if (!existsSync(folder)) await build(folder, pages);
  const index = Index.parse(JSON.parse(readFileSync(join(folder, INDEX), 'utf8')));
  const names = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name));
  return { ...index, assets: new Map(names.map((name) => [pathOf(name), assetOf(folder, name)])) };
}

const pathOf = (name: string): string => `/assets/${basename(name)}`;

function assetOf(folder: string, name: string): Asset {
  const read = (suffix: string) => readFileSync(join(folder, `${name}${suffix}`));
  return {
    type: name.endsWith('.css') ? 'text/css' : 'text/javascript',
    bytes: { identity: read(''), gzip: read('.gz'), br: read('.br') },
  };
}

function sourceHash(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path))
    .sort()
    .map((path) => join(WEB, path));
  for (const path of [...sources, ...SHARED_WITH_PAGES, ...BUILDERS]) hash.update(path.slice(WEB.length)).update(readFileSync(path));
  if (existsSync(LOCKFILE)) hash.update(readFileSync(LOCKFILE));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Written to a temporary folder and renamed: two processes may build at once, and a killed build leaves nothing half
 * done.
 */
async function build(folder: string, pages: Pages): Promise<void> {
  const { index, files } = await compile(pages);
  const draft = join(DIST, `draft-${randomBytes(6).toString('hex')}`);
  mkdirSync(draft, { recursive: true });
  await Promise.all(files.map((file) => writeCompressed(draft, file)));
  writeFileSync(join(draft, INDEX), JSON.stringify(index));
  for (const name of readdirSync(DIST)) {
    const old = join(DIST, name);
    if (name.startsWith(`${pages}-`)) rmSync(old, { recursive: true, force: true });
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

type File = { readonly name: string; readonly contents: Uint8Array };

/**
 * What the pages and the library import as React is Preact, which does the same in a sixth of the bytes
 * (decisions/console-pages). `react.mjs` adds what it does not have.
 */
const REACT = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom': 'preact/compat',
  react: join(WEB, 'react.mjs'),
};

/**
 * A script for what all pages share, one for each page, and one style sheet. Scripts are made twice: only the first time
 * shows what would be too small to be fetched by itself.
 */
async function compile(pages: Pages): Promise<{ index: Index; files: File[] }> {
  const { build: bundle, transform } = await import('esbuild');
  const scriptsWith = (small: readonly string[]) =>
    bundle({
      absWorkingDir: WEB,
      entryPoints: { [pages]: `${FOLDERS[pages]}main.tsx` },
      bundle: true,
      splitting: true,
      plugins: [commonApart(small)],
      alias: REACT,
      minify: true,
      write: false,
      metafile: true,
      outdir: '.',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      format: 'esm',
      target: 'es2022',
      // Else each Cyrillic letter is six bytes.
      charset: 'utf8',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      legalComments: 'none',
      logLevel: 'silent',
    });
  const small = smallShared((await scriptsWith([])).metafile);
  const { outputFiles, metafile } = await scriptsWith(small);
  const { code } = await transform(pageStyles(metafile), { loader: 'css', minify: true, legalComments: 'none' });
  const style = { name: `${pages}-${digest(code)}.css`, contents: Buffer.from(code) };
  const scripts = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  return { index: indexOf(metafile, style.name, FOLDERS[pages]), files: [...scripts, style] };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();

type Metafile = Parameters<typeof pageStyles>[0];

function indexOf({ outputs }: Metafile, style: string, folder: string): Index {
  const pages: Record<string, string[]> = {};
  let script = '';
  let russian: string[] = [];
  for (const [path, { entryPoint = '' }] of Object.entries(outputs)) {
    if (entryPoint === `${folder}main.tsx`) script = path;
    if (entryPoint === RUSSIAN) russian = withImports(outputs, path);
    const inPages = `${folder}pages/`;
    if (entryPoint.startsWith(inPages)) pages[entryPoint.slice(inPages.length, -'.tsx'.length)] = [path];
  }
  const shared = withImports(outputs, script);
  for (const [page, paths] of Object.entries(pages)) {
    const needed = new Set([...shared, ...paths.flatMap((path) => withImports(outputs, path))]);
    pages[page] = [...needed].filter((path) => path !== script).map(pathOf);
  }
  return { script: pathOf(script), style: pathOf(style), pages, russian: russian.map(pathOf) };
}

/** A script and everything that it imports at once. */
function withImports(outputs: Metafile['outputs'], path: string, found: string[] = []): string[] {
  if (found.includes(path)) return found;
  found.push(path);
  for (const { kind, path: imported } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement') withImports(outputs, imported, found);
  return found;
}

/** The slowest that decompresses as fast as the others: nobody waits for it but the build. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

async function writeCompressed(folder: string, { name, contents }: File): Promise<void> {
  const [zipped, smallest] = await Promise.all([promisify(gzip)(contents), promisify(brotliCompress)(contents, BROTLI)]);
  writeFileSync(join(folder, name), contents);
  writeFileSync(join(folder, `${name}.gz`), zipped);
  writeFileSync(join(folder, `${name}.br`), smallest);
}
