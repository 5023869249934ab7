import { writeFileSync } from 'node:fs';
import stringify from 'json-stringify-pretty-compact';
import { openApiDocument } from './openapi.ts';

writeFileSync(new URL('../../../docs/openapi.json', import.meta.url), `${stringify(openApiDocument(), { maxLength: 140 })}\n`);
