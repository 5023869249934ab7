// npm run build:sdk: the SDK as the file that partners install; in packages/sdk/dist, or in the folder that is named.
import { join, resolve } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { packSdk } from './pack.ts';

const [folder = join(ROOT, 'packages/sdk/dist')] = process.argv.slice(2);
console.log(await packSdk(resolve(folder)));
