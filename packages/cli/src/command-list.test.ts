import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { commandList } from '../test/command-list.ts';
import { EXIT } from './fault.ts';

const text = readFileSync(new URL('../../../docs/partners/cli.md', import.meta.url), 'utf8');
const lines = commandList().split('\n');

it('docs/partners/cli.md names every first word of a command', () => {
  const words = new Set(lines.flatMap((line) => /^- `pay ([a-z-]+)/.exec(line)?.[1] ?? []));
  expect(words.size).toBeGreaterThan(15);
  expect([...words].filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
});

it('docs/partners/cli.md explains every exit status', () => {
  for (const status of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| ${String(status)} `, 'm'));
});

it('every command of operators is a noun and what is done with it', () => {
  const commands = lines.filter((line) => line.startsWith('- `pay operator '));
  expect(commands.length).toBeGreaterThan(70);
  expect(commands.filter((line) => !/^- `pay operator [a-z-]+ [a-z-]+/.test(line))).toEqual([]);
});
