import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';

const LIBRARY = dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')));
const OWN = new URL('../web/console.css', import.meta.url);
/** Used by every component. */
const COMMON = new Set(['baseline', 'default-css-variables', 'global']);

/**
 * Our own styles after those of the library's components that these scripts contain. The library has one file of styles
 * for each component, `styles.css` is all of them in their order, and the names of a component's classes are in
 * `<component>.module.mjs`: a component whose module is not in the scripts is on no page.
 */
export function pageStyles({ outputs }: Pick<Metafile, 'outputs'>): string {
  const shown = new Set(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput === 0 ? [] : (/@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(path)?.[1] ?? []),
      ),
    ),
  );
  let styles = readFileSync(join(LIBRARY, 'styles.css'), 'utf8');
  for (const file of readdirSync(join(LIBRARY, 'styles'))) {
    const name = /^([\w-]+)\.css$/.exec(file)?.[1];
    if (name === undefined || COMMON.has(name) || shown.has(name)) continue;
    styles = styles.replace(readFileSync(join(LIBRARY, 'styles', file), 'utf8').trim(), '');
  }
  return `${styles}\n${readFileSync(OWN, 'utf8')}`;
}
