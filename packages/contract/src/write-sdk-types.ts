import { writeFileSync } from 'node:fs';
import { writeSdkRecords } from './sdk-records.ts';
import { sdkTypes } from './sdk-types.ts';

for (const [name, text] of Object.entries(sdkTypes())) writeFileSync(new URL(`../../sdk/src/${name}.ts`, import.meta.url), text);
writeSdkRecords();
