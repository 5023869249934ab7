import { join, resolve } from 'node:path';

/** The checkout. */
export const ROOT = resolve(import.meta.dirname, '../..');
/** Everything that running creates: git-ignored, removed by `npm run reset`. */
export const LOCAL = resolve(ROOT, '.local');
/** Where test servers that outlive a run are kept. `npm stop` ends them. */
export const TEST_FOLDER = join(LOCAL, 'test-infrastructure');
