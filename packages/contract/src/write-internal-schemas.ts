// A step of a release: what the next version is compared with.
import { writeFileSync } from 'node:fs';
import { internalSchemas } from './internal-schemas.ts';

const file = new URL('../released-schemas.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(internalSchemas(), null, 2)}\n`);
