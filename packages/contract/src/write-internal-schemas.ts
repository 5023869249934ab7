// A step of a release: what the next version is compared with.
import { writeFileSync } from 'node:fs';
import stringify from 'json-stringify-pretty-compact';
import { internalSchemas } from './internal-schemas.ts';

const file = new URL('../released-schemas.json', import.meta.url);
writeFileSync(file, `${stringify(internalSchemas(), { maxLength: 140 })}\n`);
