import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { renderCompletion } from './completion.ts';
import { createProgram } from './whole-program.ts';

const run = promisify(execFile);
const script = renderCompletion(createProgram(), 'bash');

/** What bash offers for the last word of a line. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const typed = ['pay', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${String(words.length)}; _pay; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['--norc', '-c', `${script}\n${ask}`]);
  return stdout
    .trim()
    .split(' ')
    .filter((word) => word !== '');
}

describe('completion in bash', () => {
  it('commands, subcommands, options and values, after options too', async () => {
    expect(await offered('callb')).toEqual(['callbacks']);
    expect(await offered('callbacks', '')).toEqual(expect.arrayContaining(['check', 'listen', 'receive']));
    expect(await offered('--profile', 'place', '--json', 'callbacks', 'listen', '--st')).toEqual(['--state']);
    expect(await offered('trigger', 'refund.')).toEqual(['refund.pending', 'refund.completed', 'refund.failed']);
    expect(await offered('operator', 'payments', 'l')).toEqual(['list']);
  });

  it('nothing that is not there', async () => {
    expect(await offered('dance', '--now')).toEqual([]);
    expect(await offered('put-call')).toEqual([]);
  });
});

it.each([
  ['zsh', 'bashcompinit'],
  ['fish', `complete -c pay -n '__pay_at "callbacks listen"' -l state -d`],
] as const)('%s has the same commands', (shell, part) => {
  expect(renderCompletion(createProgram(), shell)).toContain(part);
});
