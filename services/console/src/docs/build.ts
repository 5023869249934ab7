import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeSite } from './write-site.ts';

// npm run docs:build [-- folder]: the documentation as files that any web server can serve, below any path.
const [, , given] = process.argv;
const folder = resolve(given ?? 'artifacts/docs');
// A folder that somebody names may have other things in it.
if (given === undefined) rmSync(folder, { recursive: true, force: true });
const { files, bytes } = await writeSite(folder);
process.stdout.write(`${String(files)} files, ${(bytes / 1e6).toFixed(1)} MB: ${folder}\n`);
