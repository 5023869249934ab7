import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Assets } from './page.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const ENTRIES = {
  style: 'style.css',
  page: 'browser/page.ts',
  search: 'browser/search.ts',
  tryIt: 'browser/try-it.ts',
};

/** The style sheet and the scripts of the pages, each named by its content so that a browser may keep it. */
export async function buildAssets(): Promise<{ assets: Assets; files: ReadonlyMap<string, Buffer> }> {
  const esbuild = await import('esbuild');
  const built = await Promise.all(
    Object.entries(ENTRIES).map(async ([name, entry]) => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [join(HERE, entry)],
        bundle: true,
        minify: true,
        write: false,
        outdir: HERE,
        entryNames: '[name]-[hash]',
        // The first script runs before the page is shown, the others are modules.
        format: name === 'page' ? 'iife' : 'esm',
        target: 'es2022',
        legalComments: 'none',
        logLevel: 'silent',
        // Of what signs, the browser takes only what needs nothing of Node.
        external: ['node:*'],
        plugins: [
          {
            name: 'node-has-no-effect',
            setup: (build) => {
              build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
            },
          },
        ],
      });
      const [file] = outputFiles;
      if (file === undefined) throw new Error(`esbuild made nothing of ${entry}`);
      return { name, path: `assets/${basename(file.path)}`, contents: Buffer.from(file.contents) };
    }),
  );
  const pathOf = (name: keyof Assets) => built.find((one) => one.name === name)?.path ?? '';
  return {
    assets: { style: pathOf('style'), page: pathOf('page'), search: pathOf('search'), tryIt: pathOf('tryIt') },
    files: new Map(built.map(({ path, contents }) => [path, contents])),
  };
}
