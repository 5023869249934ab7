// npm run build:cli [-- --executable] [folder]: the command line as the file that partners run, or as a program that needs no Node;
// in packages/cli/dist, or in the folder that is named.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../infrastructure/folders.ts';
import { buildExecutable, packCli } from './pack.ts';

const { values, positionals } = parseArgs({ options: { executable: { type: 'boolean' } }, allowPositionals: true });
const folder = resolve(positionals[0] ?? join(ROOT, 'packages/cli/dist'));
console.log(values.executable === true ? await buildExecutable(folder) : await packCli(folder));
