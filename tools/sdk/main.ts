// npm run build:sdk: the SDK as the file that partners install; in packages/sdk/dist, or in the folder that is named.
import { join, resolve } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { writeSdkRecords } from '../../packages/contract/src/sdk-records.ts';
import { packSdk } from './pack.ts';

// What the SDKs for Go, Java, PHP and Python are packed with.
writeSdkRecords();
const [folder = join(ROOT, 'packages/sdk/dist')] = process.argv.slice(2);
console.log(await packSdk(resolve(folder)));
