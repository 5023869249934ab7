import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';

const WEB = fileURLToPath(new URL('../web/', import.meta.url));
const LIBRARY = join(dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css'))), 'esm');

/** The components and our own parts that most pages show. */
const COMMON_COMPONENTS = [
  'Alert',
  'Burger',
  'Button',
  'Center',
  'Group',
  'List',
  'Loader',
  'NativeSelect',
  'NavLink',
  'Paper',
  'SimpleGrid',
  'Stack',
  'Table',
  'Text',
  'TextInput',
  'Title',
];
const COMMON_PARTS = ['filters', 'form', 'page', 'slow-services', 'state', 'table'];

const COMMON = 'common-to-all-pages';

/**
 * Decides what is in the script that every page loads: exactly what is common. Left alone, esbuild takes all components
 * that any page shows into it, because the library has one index of them; imported from the file that makes each, there
 * is a script for each set of pages that share something, which is dozens of small ones. So every page also imports
 * what is common, and `small`: the modules that `smallShared` found.
 */
export const commonApart = (small: readonly string[]): Plugin => ({
  name: 'common-apart',
  setup(build) {
    const madeIn = filesByName();
    const parts = [...COMMON_PARTS.map((name) => join(WEB, `parts/${name}.tsx`)), ...small];
    build.onLoad({ filter: /[\\/]web[\\/].*\.tsx$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8').replace(/import \{([^}]*)\} from '@mantine\/core';/g, (_statement, names: string) =>
        importsOf(namesIn(names), madeIn),
      );
      const isEntry = /[\\/](?:pages[\\/][\w-]+|main)\.tsx$/.test(path);
      return { loader: 'tsx', contents: isEntry ? `${source}\nexport { common } from '${COMMON}';` : source };
    });
    build.onResolve({ filter: new RegExp(`^${COMMON}$`) }, ({ path }) => ({ path, namespace: COMMON }));
    build.onLoad({ filter: /.*/, namespace: COMMON }, () => ({
      resolveDir: WEB,
      contents: `${importsOf(COMMON_COMPONENTS, madeIn)}
${parts.map((path, index) => `import * as part${String(index)} from ${JSON.stringify(path)};`).join('\n')}
export const common = [${[...COMMON_COMPONENTS, ...parts.map((_path, index) => `part${String(index)}`)].join()}];`,
    }));
  },
});

/** A script that is smaller, in bytes before compression, takes longer to ask for than to carry along. */
const FETCHED_BY_ITSELF_MIN = 2_000;

/**
 * The modules in scripts that several pages share and that are too small to be fetched by themselves, unless they bring
 * along what is not: a button with its dialog.
 */
export function smallShared({ outputs }: Pick<Metafile, 'outputs'>): string[] {
  const importsOfScript = (path: string) =>
    (outputs[path]?.imports ?? []).filter(({ kind }) => kind === 'import-statement').map((one) => one.path);
  const everywhere = Object.keys(outputs)
    .filter((path) => outputs[path]?.entryPoint?.endsWith('main.tsx') === true)
    .flatMap(importsOfScript);
  const isSmall = (path: string): boolean =>
    everywhere.includes(path) || ((outputs[path]?.bytes ?? 0) < FETCHED_BY_ITSELF_MIN && importsOfScript(path).every(isSmall));
  return Object.entries(outputs)
    .filter(([path, { entryPoint, bytes }]) => entryPoint === undefined && bytes < FETCHED_BY_ITSELF_MIN && isSmall(path))
    .flatMap(([, { inputs }]) => Object.entries(inputs))
    .flatMap(([path, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : join(WEB, path)));
}
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
