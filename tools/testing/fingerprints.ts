import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** The files of this repository that a source text may import. Strings that look like imports do no harm. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return join(dirname(path), name);
    const [, inPackage, file] = /^@pay\/([^/]+)\/(.+)$/.exec(name) ?? [];
    return inPackage === undefined || file === undefined ? [] : `packages/${inPackage}/src/${file}`;
  });
}

/**
 * For each file, a hash of it and of everything that it imports, directly or not: all that a type-aware rule can depend on.
 * @param sources by path, relative to the repository
 */
export function fingerprints(sources: ReadonlyMap<string, string>): Map<string, string> {
  const hashes = new Map([...sources].map(([path, text]) => [path, createHash('sha256').update(text).digest('hex')]));
  const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  const reached = (path: string) => {
    const seen = new Set([path]);
    // A set is iterated in insertion order, including elements added during the iteration.
    for (const each of seen) for (const next of imports.get(each) ?? []) if (sources.has(next)) seen.add(next);
    return [...seen].toSorted();
  };
  return new Map(
    [...sources.keys()].map((path) => {
      const hash = createHash('sha256');
      for (const each of reached(path)) hash.update(`${each} ${hashes.get(each) ?? ''}\n`);
      return [path, hash.digest('hex')];
    }),
  );
}
