import { writeFileSync } from 'node:fs';
import { CONTRACT_PAGE, readContract, readProofs } from './files.ts';
import { pageOf } from './page.ts';

writeFileSync(CONTRACT_PAGE, pageOf(readContract(), readProofs()));
