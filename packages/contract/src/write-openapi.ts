import { writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi.ts';
import { operatorDocument } from './operator/openapi.ts';

const write = (name: string, document: unknown) => {
  writeFileSync(new URL(`../../../docs/${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
};

write('openapi.json', openApiDocument());
write('openapi-operators.json', operatorDocument());
