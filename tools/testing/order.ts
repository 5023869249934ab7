import { relative } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';

/**
 * Test files in the order in which they begin: those of `tools/` first, because they start programs and wait for them,
 * and one that began last would run alone, for up to a minute; the scan for card data last, because it inspects what all
 * the others left behind. Otherwise the order stays.
 */
export function inOrder<T extends { readonly path: string }>(tests: readonly T[]): T[] {
  const placeOf = ({ path }: T) => {
    const file = relative(ROOT, path);
    if (file === 'e2e/card-data.e2e.test.ts') return 1;
    return /^tools\b/.test(file) ? -1 : 0;
  };
  return tests.toSorted((one, other) => placeOf(one) - placeOf(other));
}
