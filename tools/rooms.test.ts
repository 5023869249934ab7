import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '..');

type Import = { readonly from: string; readonly to: string };

/** What the files below `src` import of each other, types included, as paths below `src`. Tests are exempt. */
function importsIn(src: string): Import[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: resolve(ROOT, src) }).filter((file) => !/\.test\.tsx?$/.test(file));
  return files.flatMap((from) => {
    const path = resolve(ROOT, src, from);
    return ts
      .preProcessFile(readFileSync(path, 'utf8'), true, true)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => ({ from, to: relative(resolve(ROOT, src), resolve(dirname(path), fileName)) }))
      .filter(({ to }) => !to.startsWith('..'));
  });
}

/**
 * What the files and folders that stand in one folder import of each other; a folder stands for all that is below it.
 * `main.ts` may import `http/`, and `http/` `deps.ts`; `http/` and `db/` may not import each other.
 */
function neighbours({ from, to }: Import): Import {
  const [source, target] = [from.split('/'), to.split('/')];
  const apart = source.findIndex((name, depth) => name !== target[depth]);
  return { from: source.slice(0, apart + 1).join('/'), to: target.slice(0, apart + 1).join('/') };
}

const byFolder = ({ from, to }: Import): Import => ({ from: dirname(from), to: dirname(to) });
const isFile = (path: string): boolean => /\.tsx?$/.test(path);

/** The imports of which a circle is made. Those between files alone are dependency-cruiser's `no-cycles`. */
function circlesOf(arrows: readonly Import[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reaches = (start: string, wanted: string): boolean => {
    const seen = new Set([start]);
    for (const room of seen) for (const next of targets.get(room) ?? []) seen.add(next);
    return seen.has(wanted);
  };
  return [...targets]
    .flatMap(([from, all]) => [...all].map((to) => ({ from, to })))
    .filter(({ from, to }) => !(isFile(from) && isFile(to)) && reaches(to, from))
    .map(({ from, to }) => `${from} -> ${to}`);
}

describe('the folders', () => {
  it('of packages/shared form no circle', () => {
    const imports = importsIn('packages/shared/src');
    expect(imports.length).toBeGreaterThan(200);
    expect(circlesOf(imports.map(byFolder))).toEqual([]);
  });

  it.each([...globSync('{packages,services}/*/src', { cwd: ROOT }), 'tools'].toSorted())(
    'of %s form no circle with what stands beside them',
    (src) => {
      expect(circlesOf(importsIn(src).map(neighbours))).toEqual([]);
    },
  );
});
