// node tools/examples/write-collection.ts: writes the requests of examples/bruno anew from docs/openapi.json.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { requestFiles } from './collection.ts';

const COLLECTION = join(ROOT, 'examples/bruno');
for (const path of globSync('*/*.bru', { cwd: COLLECTION })) rmSync(join(COLLECTION, path));
const openapi: unknown = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
for (const [path, content] of requestFiles(openapi)) {
  mkdirSync(dirname(join(COLLECTION, path)), { recursive: true });
  writeFileSync(join(COLLECTION, path), content);
}
