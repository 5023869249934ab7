import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const WEB = fileURLToPath(new URL('../web/', import.meta.url));
const LIBRARY = join(dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css'))), 'esm');

/** The components and our own parts that most pages show. */
const COMMON_COMPONENTS = [
  'Alert', 'Burger', 'Button', 'Center', 'Group', 'List', 'Loader', 'NativeSelect', 'NavLink', 'Paper', 'SimpleGrid', 'Stack', 'Table',
  'Text', 'TextInput', 'Title',
]; // prettier-ignore
const COMMON_PARTS = ['filters', 'form', 'page', 'slow-services', 'state', 'table'];

const COMMON = 'common-to-all-pages';

/**
 * Decides what is in the script that every page loads: exactly what is common. Left alone, esbuild takes all components
 * that any page shows into it, because the library has one index of them; imported from the file that makes each, there
 * is a script for each set of pages that share something, which is dozens of small ones. So every page also imports
 * what is common.
 */
export const commonApart: Plugin = {
  name: 'common-apart',
  setup(build) {
    const madeIn = filesByName();
    build.onLoad({ filter: /[\\/]web[\\/].*\.tsx$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8').replace(
        /import \{([^}]*)\} from '@mantine\/core';/g,
        (_statement, names: string) => importsOf(namesIn(names), madeIn),
      );
      const isEntry = /[\\/](?:pages[\\/][\w-]+|main)\.tsx$/.test(path);
      return { loader: 'tsx', contents: isEntry ? `${source}\nexport { common } from '${COMMON}';` : source };
    });
    build.onResolve({ filter: new RegExp(`^${COMMON}$`) }, ({ path }) => ({ path, namespace: COMMON }));
    build.onLoad({ filter: /.*/, namespace: COMMON }, () => ({
      resolveDir: WEB,
      contents: `${importsOf(COMMON_COMPONENTS, madeIn)}
${COMMON_PARTS.map((name, index) => `import * as part${String(index)} from './parts/${name}.tsx';`).join('\n')}
export const common = [${[...COMMON_COMPONENTS, ...COMMON_PARTS.map((_name, index) => `part${String(index)}`)].join()}];`,
    }));
  },
};

const importsOf = (names: readonly string[], madeIn: ReadonlyMap<string, string>): string =>
  names.map((name) => `import { ${name} } from ${JSON.stringify(madeIn.get(name) ?? '@mantine/core')};`).join(' ');

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

/** What the library's index exports, with the file that it comes from. */
function filesByName(): Map<string, string> {
  const index = readFileSync(join(LIBRARY, 'index.mjs'), 'utf8');
  return new Map(
    [...index.matchAll(/import \{([^}]*)\} from "([^"]+)";/g)].flatMap(([, names = '', file = '']) =>
      namesIn(names).map((name): [string, string] => [name, join(LIBRARY, file)]),
    ),
  );
}
