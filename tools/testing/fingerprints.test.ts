import { expect, it } from '@jest/globals';
import { fingerprints } from './fingerprints.ts';

const SOURCES = {
  'packages/shared/src/money.ts': 'export const money = 1;',
  'services/a/src/pay.ts': "import { money } from '@pay/shared/money.ts';",
  'services/a/src/app.ts': "import { pay } from './pay.ts';\nimport { b } from '../../b/src/b.ts';",
  'services/a/src/page.ts': "export const page = async () => await import('./pay.ts');",
  'services/a/src/pay.test.ts': "export type { Pay } from './pay.ts';",
  // A cycle.
  'services/b/src/b.ts': "import { c } from './c.ts';",
  'services/b/src/c.ts': "import type { b } from './b.ts';",
  'tools/alone.ts': "import { readFileSync } from 'node:fs';",
};
const before = fingerprints(new Map(Object.entries(SOURCES)));

/** The files that have to be checked again when this one changes. */
const touchedBy = (path: keyof typeof SOURCES) => {
  const after = fingerprints(new Map(Object.entries({ ...SOURCES, [path]: `${SOURCES[path]}\n` })));
  return [...after].filter(([file, hash]) => before.get(file) !== hash).map(([file]) => file);
};

it.each([
  ['tools/alone.ts', ['tools/alone.ts']],
  ['services/a/src/app.ts', ['services/a/src/app.ts']],
  ['services/b/src/c.ts', ['services/a/src/app.ts', 'services/b/src/b.ts', 'services/b/src/c.ts']],
  [
    'packages/shared/src/money.ts',
    [
      'packages/shared/src/money.ts',
      'services/a/src/pay.ts',
      'services/a/src/app.ts',
      'services/a/src/page.ts',
      'services/a/src/pay.test.ts',
    ],
  ],
] as const)('%s changes the fingerprint of itself and of every importer, and of nothing else', (path, touched) => {
  expect(touchedBy(path)).toEqual(touched);
});

it('a file that appears changes the fingerprint of who imports it', () => {
  const { 'services/a/src/pay.ts': _pay, ...without } = SOURCES;
  const earlier = fingerprints(new Map(Object.entries(without)));
  expect([...earlier].filter(([file, hash]) => before.get(file) !== hash).map(([file]) => file)).toEqual([
    'services/a/src/app.ts',
    'services/a/src/page.ts',
    'services/a/src/pay.test.ts',
  ]);
});
