import { readFileSync, writeFileSync } from 'node:fs';
import { withCommandList } from './command-list.ts';

const file = new URL('../../../docs/cli.md', import.meta.url);
writeFileSync(file, withCommandList(readFileSync(file, 'utf8')));
