// npm run build:bruno [-- folder]: the collection for Bruno, with a request for each operation, in artifacts/bruno or the folder that is
// named.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { requestFiles } from './collection.ts';

const [, , given] = process.argv;
const folder = resolve(given ?? join(ROOT, 'artifacts/bruno'));
// A folder that somebody names may have other things in it.
if (given === undefined) rmSync(folder, { recursive: true, force: true });
cpSync(join(ROOT, 'examples/bruno'), folder, { recursive: true });
const files = requestFiles(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));
for (const [path, content] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
process.stdout.write(`${String(files.size)} requests: ${folder}\n`);
