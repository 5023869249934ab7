// npm run build:cli: the command line as the file that partners run; in packages/cli/dist, or in the folder that is named.
import { join, resolve } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { packCli } from './pack.ts';

const [folder = join(ROOT, 'packages/cli/dist')] = process.argv.slice(2);
console.log(await packCli(resolve(folder)));
