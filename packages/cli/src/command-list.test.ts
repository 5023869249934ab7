import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { withCommandList } from './command-list.ts';
import { EXIT } from './fault.ts';

const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

it('docs/cli.md lists exactly the commands that there are; `node packages/cli/src/write-command-list.ts` renews it', () => {
  expect(text).toBe(withCommandList(text));
});

it('docs/cli.md explains every exit status', () => {
  for (const status of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| ${String(status)} `, 'm'));
});

it('every command of operators is a noun and what is done with it', () => {
  const commands = text.split('\n').filter((line) => line.startsWith('- `pay operator '));
  expect(commands.length).toBeGreaterThan(70);
  expect(commands.filter((line) => !/^- `pay operator [a-z-]+ [a-z-]+/.test(line))).toEqual([]);
});
