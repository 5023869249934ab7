import { readFileSync, writeFileSync } from 'node:fs';
import { errorsPage } from './errors-page.ts';

const page = new URL('../../../../docs/partners/errors.md', import.meta.url);
writeFileSync(page, errorsPage(readFileSync(page, 'utf8')));
