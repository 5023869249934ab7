import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** The files of this repository that a text may import. Names in a string that look the same are no harm. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return join(dirname(path), name);
    const [, inPackage, file] = /^@pay\/([^/]+)\/(.+)$/.exec(name) ?? [];
    return inPackage === undefined || file === undefined ? [] : `packages/${inPackage}/src/${file}`;
  });
}

/**
 * For each file a hash of it and of everything that it imports, directly or not: what a rule that knows types can know of it.
 * @param sources by path, relative to the repository
 */
export function fingerprints(sources: ReadonlyMap<string, string>): Map<string, string> {
  const hashes = new Map([...sources].map(([path, text]) => [path, createHash('sha256').update(text).digest('hex')]));
  const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  const reached = (path: string) => {
    const seen = new Set([path]);
    // A set is walked in the order of insertion, and what is added meanwhile as well.
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
