import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { OPERATOR_OPERATIONS } from '@pay/contract/operator/operations.ts';
import * as operatorStates from '@pay/contract/operator/states.ts';
import * as states from '@pay/contract/states.ts';
import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { ROLES } from '@pay/shared/operators/roles.ts';
import { ENGLISH_OF_SERVICES } from '../web/texts/en-services.ts';
import texts from '../web/texts/russian.ts';
import { AREAS, RUSSIAN } from '../web/texts/ru.ts';

/**
 * The console's Russian texts (decisions/console-pages). That a text has a Russian line is checked by the compiler, the
 * rest here.
 */
const WEB = fileURLToPath(new URL('../web/', import.meta.url));
const SOURCES = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/^(?:portal|texts)\//.test(path))
  .map((path) => ts.createSourceFile(path, readFileSync(join(WEB, path), 'utf8'), ts.ScriptTarget.Latest, true));

function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}
const NODES = SOURCES.flatMap(nodesOf);

/** Attributes that people read or hear. */
const SHOWN = new Set([
  'title',
  'label',
  'aria-label',
  'placeholder',
  'description',
  'button',
  'empty',
  'explains',
  'says',
  'what',
  'alt',
  'name',
]);
/** What is the same in every language: names, examples and machine words have no space and no capital. */
const isSaid = (text: string): boolean => /\p{L}{2,}/u.test(text) && (/\s/.test(text.trim()) || /^[A-Z][a-z]/.test(text));

describe('a text of the console', () => {
  it('is in the catalogue if people read it', () => {
    const bare = NODES.flatMap((node) => {
      const isText = ts.isJsxText(node) && /\p{L}{2,}/u.test(node.text);
      const isAttribute =
        ts.isStringLiteral(node) && ts.isJsxAttribute(node.parent) && SHOWN.has(node.parent.name.getText()) && isSaid(node.text);
      return isText || isAttribute ? [`${node.getSourceFile().fileName}: ${node.getText().trim()}`] : [];
    });
    expect(NODES.length).toBeGreaterThan(10_000);
    // Codes of currencies and names of programs are the same in every language.
    expect(bare.filter((one) => !/: (?:RUB|USDT|Excel)$/.test(one))).toEqual([]);
  });

  it('that is in the catalogue is said somewhere', () => {
    const said = new Set(NODES.flatMap((node) => (ts.isStringLiteralLike(node) ? [node.text] : [])));
    expect(Object.keys(RUSSIAN).filter((text) => !said.has(text))).toEqual([]);
  });

  it('has one Russian line, in one area', () => {
    const all = AREAS.flatMap((area) => Object.keys(area));
    expect(all.filter((text, index) => all.indexOf(text) !== index)).toEqual([]);
  });

  it('has the same names to fill in in both languages, and is not left in English', () => {
    const namesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
    const entries = Object.entries(texts);
    expect(entries.filter(([english, russian]) => String(namesIn(english)) !== String(namesIn(russian)))).toEqual([]);
    const same = entries.filter(([english, russian]) => english === russian).map(([english]) => english);
    expect(same.toSorted()).toEqual(['3-D Secure', 'QR', 'RUB', 'USDT']);
  });
});

describe('the word list of docs/glossary.md', () => {
  const ROOT = new URL('../../../../', import.meta.url);
  const [, list = ''] = readFileSync(new URL('docs/glossary.md', ROOT), 'utf8').split('## Words on the screens');
  const rows = [...list.matchAll(/^\| (\S[^|]*) \| ([А-ЯЁ][^|]*) \| ([^|]*)\|$/gm)].map(([, english = '', russian = '', not = '']) => ({
    english: english.trim(),
    russian: russian.trim(),
    not: not.trim(),
  }));
  const ELSEWHERE = ['payments/src/checkout/texts/ru.ts', 'payments/src/checkout/consent/consent-ru.ts', 'sandbox-bank/src/pages/words.ts'];

  it('says what the console says', () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter(({ english, russian }) => texts[english] !== russian)).toEqual([]);
  });

  it('names words that no page has in Russian', () => {
    const given = rows.flatMap(({ not }) => (not === '' ? [] : not.split(', ')));
    const russian = [
      ...Object.values(texts),
      ...ELSEWHERE.flatMap((path) => readFileSync(new URL(`services/${path}`, ROOT), 'utf8').split('\n')),
    ];
    expect(given.length).toBeGreaterThan(10);
    const stem = new RegExp(`(?<!\\p{L})(?:${given.join('|')})`, 'iu');
    expect(russian.filter((text) => stem.test(text))).toEqual([]);
  });
});

describe('a refusal that an operator can meet', () => {
  const SERVICES = fileURLToPath(new URL('../../../', import.meta.url));
  const said = ['bindings', 'console', 'gateway', 'notifier', 'payments', 'withdrawals']
    .flatMap((service) =>
      readdirSync(join(SERVICES, service, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => join(service, 'src', path)),
    )
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/(?:checkout|web|portal)\//.test(path))
    .flatMap((path) => {
      const source = readFileSync(join(SERVICES, path), 'utf8');
      const texts = source.matchAll(/\btext: '([a-z][^'\\]{8,})'|\binvalidField\([^,()]+,\s*'([^'\\]+)'/g);
      return [...texts].map(([, text = '', field = text]) => field);
    });
  /** Of requests that only partners send, and of what no page of the console sends wrongly. */
  const PARTNERS_ONLY =
    /^(?:a (?:charge|message) (?:of|about) this buyer|the public API|another file|no device|a GET request|must (?:be (?:an object|chunked|the id of an event)|come from this list|name a host|not be in the future|occur)|occurs twice|is your only active key|is not (?:enabled for this partner|taken by the acquirer))/;

  it('has a Russian text: those with a text of their own, and what is wrong with a field', () => {
    expect(said.length).toBeGreaterThan(70);
    expect([...new Set(said)].filter((text) => !Object.hasOwn(texts, text) && !PARTNERS_ONLY.test(text))).toEqual([]);
  });

  const PACKAGES = fileURLToPath(new URL('../../../../packages/', import.meta.url));
  const CONTRACT = join(PACKAGES, 'contract/src/operator');
  /** What a field of the operator API must be. */
  const rules = [
    join(PACKAGES, 'shared/src/content/typed-text.ts'),
    join(PACKAGES, 'shared/src/http/fields.ts'),
    ...readdirSync(CONTRACT).flatMap((name) => (/^[\w-]+(?<!\.test)\.ts$/.test(name) ? [join(CONTRACT, name)] : [])),
  ].flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/['`](must [^'`]+|is required[^'`]*)['`]/g)].map(([, rule = '']) => rule));

  it('has a Russian text: what the contract of the operator API says of a field, whatever its numbers are', () => {
    const named = (rule: string) => {
      let count = 0;
      return rule.replaceAll(/\$\{[^}]*\}|\d+(?:\.\d+)?/g, () => `{${String((count += 1))}}`);
    };
    const isKnown = (rule: string) => [ENGLISH_OF_SERVICES[rule] ?? rule, named(rule)].some((text) => Object.hasOwn(texts, text));
    /** What the console's own forms cannot send wrongly. */
    const UNSEEN = /nextPageToken|revision that was seen|reference of a transfer|transaction hash|search by card/;
    expect(rules.length).toBeGreaterThan(20);
    expect([...new Set(rules)].filter((rule) => !isKnown(rule) && !UNSEEN.test(rule))).toEqual([]);
  });

  it('has other English for people only where a service says it', () => {
    expect(Object.keys(ENGLISH_OF_SERVICES).filter((rule) => !rules.includes(rule))).toEqual([]);
  });

  it('has a Russian text: those of the catalogue that an operation of theirs names', () => {
    const ALWAYS = [
      'UNAUTHORIZED',
      'FORBIDDEN',
      'RATE_LIMITED',
      'VALIDATION_FAILED',
      'SERVICE_UNAVAILABLE',
      'OUTCOME_UNKNOWN',
      'INTERNAL_ERROR',
    ] as const;
    const operations: readonly { readonly errors?: readonly ErrorCode[] }[] = Object.values(OPERATOR_OPERATIONS).flat();
    const codes = new Set([...ALWAYS, ...operations.flatMap(({ errors = [] }) => errors)]);
    expect(codes.size).toBeGreaterThan(10);
    expect([...codes].filter((code) => !Object.hasOwn(texts, ERRORS[code].text))).toEqual([]);
  });
});

describe('a constant of the contract', () => {
  const constants = [...Object.values(states), ...Object.values(operatorStates)].flatMap((list) =>
    Array.isArray(list) ? list.map(String) : [],
  );
  /** Periods, letters of 3-D Secure, rules and names of services have texts of their own, or none. */
  const named = constants.filter((one) => /^[A-Z_]{3,}$/.test(one));
  /** Read with their own sentences (`LIABILITIES` of the payment's page), or never shown. */
  const elsewhere = ['ISSUER', 'MERCHANT', 'UNKNOWN', 'FIRST_REFUSAL', 'DEAD_ADDRESS', 'DONE', 'SBP_DYNAMIC_QR', 'CARD_BINDING'];

  it('has a Russian text', () => {
    const english = (one: string) => one.charAt(0) + one.slice(1).toLowerCase().replaceAll('_', ' ');
    const known = (one: string) => Object.hasOwn(texts, one) || Object.hasOwn(texts, english(one));
    expect(named.length).toBeGreaterThan(60);
    expect([...new Set(named)].filter((one) => !known(one) && !elsewhere.includes(one))).toEqual([]);
    expect(ROLES.filter((role) => !Object.hasOwn(texts, role))).toEqual([]);
  });
});
