import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { inOrder } from './order.ts';

it('files of tools/ begin, the scan for card data ends, and the others stay as they are', () => {
  const files = ['e2e/card-data.e2e.test.ts', 'services/b/tools.test.ts', 'tools/a.test.ts', 'e2e/a.e2e.test.ts'];
  expect(inOrder(files.map((file) => ({ path: join(ROOT, file) })))).toEqual(
    ['tools/a.test.ts', 'services/b/tools.test.ts', 'e2e/a.e2e.test.ts', 'e2e/card-data.e2e.test.ts'].map((file) => ({
      path: join(ROOT, file),
    })),
  );
});
