import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { isAlike, withValues } from './alike.ts';
import { blocksOf } from './page.ts';

const FOLDER = join(ROOT, 'docs/partners/guides');
const GUIDES = readdirSync(FOLDER).sort();
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

describe('the guides', () => {
  it('run every block, save it as a file, or say why not', () => {
    const left = GUIDES.flatMap((name) =>
      blocksOf(read(name)).flatMap((block) => (block.kind === 'not run' ? [`${name}: ${block.why}`] : [])),
    );
    expect(left).toEqual(['README.md: the sandbox is what the guides run against', 'README.md: it names a folder of your machine']);
  });

  it('are all in the list, which names no other', () => {
    const listed = [...read('README.md').matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, name = '']) => name);
    expect([...listed, 'README.md'].sort()).toEqual(GUIDES);
  });

  it('save each file before a command names it', () => {
    for (const name of GUIDES) {
      const saved = new Set<string>();
      for (const block of blocksOf(read(name))) {
        if (block.kind === 'file') saved.add(block.name);
        if (block.kind !== 'console') continue;
        const programs = block.commands.flatMap(({ typed }) => typed.match(/(?<=^(?:node|bash) )\S+/g) ?? []);
        expect({ name, missing: programs.filter((program) => !saved.has(program)) }).toEqual({ name, missing: [] });
      }
    }
  });
});

describe('a page read block by block', () => {
  const fence = (info: string, content: string) => `\`\`\`${info}\n${content}\`\`\`\n`;

  it('has commands with what they print, files, and what is not run', () => {
    expect(
      blocksOf(
        fence('console', '$ one\nits\noutput\n$ two\n') +
          fence('console again', '$ three\n') +
          fence('js shop.mjs', 'shop();\n') +
          fence('sh not run: it is yours', 'rm\n'),
      ),
    ).toEqual([
      {
        kind: 'console',
        isRepeated: false,
        commands: [
          { typed: 'one', shown: 'its\noutput' },
          { typed: 'two', shown: '' },
        ],
      },
      { kind: 'console', isRepeated: true, commands: [{ typed: 'three', shown: '' }] },
      { kind: 'file', name: 'shop.mjs', content: 'shop();\n' },
      { kind: 'not run', why: 'it is yours' },
    ]);
  });

  it.each(['', 'js', 'sh not run', 'console once'])('refuses the info string "%s"', (info) => {
    expect(() => blocksOf(fence(info, 'text\n'))).toThrow('says neither its file nor why it is not run');
  });

  it('refuses a console that begins with output', () => {
    expect(() => blocksOf(fence('console', 'output\n'))).toThrow('no command before the output');
  });
});

describe('output as a page shows it', () => {
  const ID = '01a20a72-b245-77e3-8009-ebceb7b6309b';
  const OTHER = '01a20a78-4bb1-7a2e-9188-29013bf3e893';

  it.each([
    ['id  ' + ID, 'id  ' + OTHER],
    ['at 2026-11-23T22:06:16.566Z', 'at 2027-01-01T00:00:00Z'],
    [
      'http://127.0.0.1:28701/pay/lb1BRKGq2Sgf8-beR9gEDa2ELRdoiVjynzZ5tmPAH4U',
      'http://127.0.0.1:9/pay/hIxSU38FZZBpro3BCrxIIHZbAWaEX6ZC4AuszPuYWWM',
    ],
    ['SHA256:LLSrYRIeOWh12pgYSD0G9p4jPOVXfBKhCyvvZVbnvkg', 'SHA256:b+3KtlJXJxObGc+Abae1a54tr1IngxKhq9UuB66/G0Y'],
    ['nonce 1389cf0a7de37a5b01f01e078e42da62', 'nonce 047da785a3465d7419c8613fcd39956e'],
    ['first\n…\nlast', 'first\n\nmany\nlines\nlast'],
  ])('is the same with other values: %s', (shown, output) => {
    expect(isAlike(shown, output, new Map())).toBe(true);
  });

  it.each([
    ['status  COMPLETED', 'status  REJECTED'],
    ['amount  10.50', 'amount  10.5'],
    ['a.b', 'axb'],
    ['one', 'one\ntwo'],
    ['id  ' + ID, 'id  none'],
    [`${ID} ${ID}`, `${ID} ${OTHER}`],
  ])('is not the same: %s', (shown, output) => {
    expect(isAlike(shown, output, new Map())).toBe(false);
  });

  it('teaches its values: the next command gets them, and the next output must have them', () => {
    const values = new Map<string, string>();
    expect(isAlike(`id  ${ID}`, `id  ${OTHER}`, values)).toBe(true);
    expect(withValues(`get ${ID}`, values)).toBe(`get ${OTHER}`);
    expect(isAlike(`id  ${ID}`, `id  ${OTHER}`, values)).toBe(true);
    expect(isAlike(`id  ${ID}`, `id  ${ID}`, values)).toBe(false);
  });
});
