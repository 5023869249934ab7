import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { anchorsOf, badCitations, type Sources } from './citations.ts';
import { readContract } from './files.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = new Map(globSync('docs/spec/*.md', { cwd: ROOT }).map((path) => [basename(path, '.md'), anchorsOf(read(path))] as const));
/** By code: what reviews and trials of the running system found. */
const findings = Object.keys(JSON.parse(read('docs/spec/findings.json')) as Readonly<Record<string, string>>);
/** Each sentence of the contract has an anchor: the keys of docs/spec/proofs.json. */
const contract = new Set([...(pages.get('service-contract') ?? []), ...readContract().map(({ anchor }) => anchor)]);
const sources: Sources = {
  pages: new Map([
    ...pages,
    ['service-contract', contract],
    ['findings', new Set(findings.map((code) => code.toLowerCase().replace('.', '-')))],
  ]),
  decisions: new Set(globSync('docs/decisions/*.md', { cwd: ROOT }).map((path) => basename(path, '.md'))),
};

const MADE = /^(node_modules|\.local|artifacts|coverage|dist|\.git)$/;
const FILES = globSync('**/*.{ts,tsx,mts,js,mjs,cjs,md,yml,sql,css}', {
  cwd: ROOT,
  exclude: (path) => MADE.test(basename(path)),
}).filter((path) => !/^docs\/spec\/|^tools\/contract\/citations|^pnpm-lock/.test(path));

describe('citations', () => {
  it('name an anchor that exists, in code, tests and documents', () => {
    expect(FILES.length).toBeGreaterThan(1_000);
    expect(FILES.flatMap((path) => badCitations(path, read(path), sources))).toEqual([]);
  });

  it('name each anchor once: no page has one twice', () => {
    for (const page of globSync('docs/spec/*.md', { cwd: ROOT })) {
      const text = read(page);
      expect({ page, anchors: anchorsOf(text).size }).toEqual({
        page,
        anchors: [...text.matchAll(/^#+ |<a id="/gm)].length,
      });
    }
  });

  it.each([
    ['a decision that is none', 'a.ts', '/** See spec/decisions#no-such. */', 'spec/decisions#no-such does not exist'],
    ['a page that is none', 'a.md', 'See spec/nothing#amount-limits.', 'spec/nothing#amount-limits does not exist'],
    [
      'a sentence that the contract has not',
      'a.ts',
      '// spec/service-contract#limits/nothing',
      'spec/service-contract#limits/nothing does not exist',
    ],
    ['a decision that was not made', 'a.sql', '-- decisions/no-such', 'decisions/no-such does not exist'],
    ['a decision by a number', 'a.sql', '-- ADR 0070', 'ADR 0070 is a number, not a page of decisions/'],
    ['the specification without an anchor', 'a.ts', '/** Spec: Limits. */', 'Spec: … names no anchor'],
    ['a decision by its title', 'a.ts', '/** Above (decisions\n * "amount limits"). */', 'decisions " … names no anchor'],
    ['a document that is kept elsewhere', 'a.ts', '// design "Data"', 'design " … names no anchor'],
    ['a scenario that is none, in a title', 'a.test.ts', "it('409 (F99)')", 'F99 is neither a scenario nor a finding'],
    ['one behind a status', 'a.test.ts', "it('403 FORBIDDEN: S9: no')", 'S9 is neither a scenario nor a finding'],
    ['one of several', 'a.db.test.ts', 'it("19.4, F88: no")', 'F88 is neither a scenario nor a finding'],
    ['a scenario in a comment without its page', 'a.ts', '/** As in case K01. */', 'K01 in a comment has no anchor'],
    ['a finding in a comment without its page', 'a.ts', '// Before all (M8).', 'M8 in a comment has no anchor'],
  ])('%s is refused', (_name, path, text, fault) => {
    expect(badCitations(path, text, sources)).toEqual([`${path}: ${fault}`]);
  });

  it('are taken in the one spelling, also with a line break before them', () => {
    const text = `/**\n * See\n * spec/decisions#amount-limits, spec/service-contract#limits/orderid and decisions/idempotency.\n */\nit('403: S4: F01, 19.4: x')`;
    expect(badCitations('a.test.ts', text, sources)).toEqual([]);
  });
});
