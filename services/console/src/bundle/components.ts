import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const LIBRARY = join(dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css'))), 'esm');

/**
 * Imports every component of the library from the file that makes it. Through the library's index, esbuild puts all
 * components that any page shows into the script that every page loads.
 */
export const componentsFromTheirFiles: Plugin = {
  name: 'components-from-their-files',
  setup(build) {
    const madeIn = filesByName();
    build.onLoad({ filter: /[\\/]web[\\/].*\.tsx?$/ }, ({ path }) => ({
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      contents: readFileSync(path, 'utf8').replace(
        /import \{([^}]*)\} from '@mantine\/core';/g,
        (_statement, names: string) =>
          namesIn(names)
            .map((name) => importOf(name, madeIn.get(name)))
            .join(' '),
      ),
    }));
  },
};

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

const importOf = (name: string, file = '@mantine/core'): string => `import { ${name} } from ${JSON.stringify(file)};`;

/** What the library's index exports, with the file that it comes from. */
function filesByName(): Map<string, string> {
  const index = readFileSync(join(LIBRARY, 'index.mjs'), 'utf8');
  return new Map(
    [...index.matchAll(/import \{([^}]*)\} from "([^"]+)";/g)].flatMap(([, names = '', file = '']) =>
      namesIn(names).map((name): [string, string] => [name, join(LIBRARY, file)]),
    ),
  );
}
