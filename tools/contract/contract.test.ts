import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { OPERATIONS } from '../../packages/contract/src/api/operations.ts';
import { Config as WithdrawalsConfig } from '../../services/withdrawals/src/config.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { readContract, readProofs, type Proofs } from './files.ts';
import { sentencesOf } from './sentences.ts';

const sentences = readContract();
const proofs = readProofs();

/** Valid reasons for a sentence without a test. Whatever binds the service has one. */
const NO_RULE =
  /^(?:gap: filled by docs\/spec\/decisions\.md|explains: .+|leads in: .+|partner: its own duty, said to it in docs\/(?:[\w-]+\/)*[\w-]+\.md)$/;

/** The faults in the proofs of these sentences, one per line. */
function faultsOf(of: typeof sentences, given: Proofs): string[] {
  const anchors = new Set(of.map(({ anchor }) => anchor));
  const unknown = Object.keys(given).filter((anchor) => !anchors.has(anchor));
  return [
    ...unknown.map((anchor) => `${anchor}: the contract has no such sentence`),
    ...of.flatMap(({ anchor, text }) => faultsOfOne(anchor, text, given[anchor])),
  ];
}

function faultsOfOne(anchor: string, text: string, proof: Proofs[string] | undefined): string[] {
  if (proof === undefined || proof.length === 0) return [`${anchor}: has no test`];
  if (typeof proof !== 'string') return proof.filter((test) => !isThere(test)).map((test) => `${anchor}: there is no test ${test}`);
  if (!NO_RULE.test(proof)) return [`${anchor}: has no test, and "${proof}" is no reason`];
  const [page] = /docs\/(?:[\w-]+\/)*[\w-]+\.md$/.exec(proof) ?? [];
  if (proof.startsWith('partner') && !existsSync(join(ROOT, page ?? ''))) return [`${anchor}: there is no ${proof}`];
  return proof.startsWith('gap') && !text.endsWith('not shown.') ? [`${anchor}: is no gap`] : [];
}

const sources = new Map<string, string>();
function isThere(test: string): boolean {
  const [, file = '', title = ''] = /^(\S+\.test\.ts): (.+)$/.exec(test) ?? [];
  // In code, a title may be in either kind of quotes.
  const source = sources.get(file) ?? (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '').replaceAll("\\'", "'");
  sources.set(file, source);
  const parts = title.split(' › ');
  return title !== '' && parts.every((part) => [`'${part}'`, `"${part}"`, `\`${part}\``].some((quoted) => source.includes(quoted)));
}

describe('the contract, sentence by sentence', () => {
  it('19: every sentence has a test that is there, or says why it is no rule for the service', () => {
    expect(sentences.length).toBeGreaterThan(280);
    expect(faultsOf(sentences, proofs)).toEqual([]);
  });

  it('19: a sentence more, a test that went and a proof of nothing are each told', () => {
    const [first, second] = sentencesOf('# Ways\n\nA window is open. A gate is shut.\n');
    if (first === undefined || second === undefined) throw new Error('two sentences');
    const here = 'tools/contract/contract.test.ts: 19: a sentence more, a test that went and a proof of nothing are each told';
    const good = { [first.anchor]: [here], [second.anchor]: 'explains: what a gate is' };
    const both = [first, second];
    expect(faultsOf(both, good)).toEqual([]);
    expect(faultsOf([first], good)).toEqual(['ways/a-gate-is-shut: the contract has no such sentence']);
    expect(faultsOf(both, { [first.anchor]: [here] })).toEqual(['ways/a-gate-is-shut: has no test']);
    expect(faultsOf(both, { ...good, [second.anchor]: [] })).toEqual(['ways/a-gate-is-shut: has no test']);
    expect(faultsOf(both, { ...good, [second.anchor]: [`${here}, or not`] })).toEqual([
      `ways/a-gate-is-shut: there is no test ${here}, or not`,
    ]);
    expect(faultsOf(both, { ...good, [second.anchor]: 'later' })).toEqual(['ways/a-gate-is-shut: has no test, and "later" is no reason']);
    expect(faultsOf(both, { ...good, [second.anchor]: 'gap: filled by docs/spec/decisions.md' })).toEqual([
      'ways/a-gate-is-shut: is no gap',
    ]);
  });

  it('19: sentences, items of lists and rows of tables are each one, and what is put in elsewhere renames none', () => {
    const page =
      '# Big Bad\n\nOne is here. two is too: x.\n\n- Three\n\n1. Four\n\n| A | B |\n| - | - |\n| GET | /a |\n| GET | /b |\n| c | d |\n';
    const anchors = sentencesOf(page).map(({ anchor }) => anchor);
    expect(anchors).toEqual([
      'big-bad/one-is-here',
      'big-bad/two-is-too-x',
      'big-bad/three',
      'big-bad/four',
      'big-bad/get-a',
      'big-bad/get-b',
      'big-bad/c',
    ]);
    const longer = sentencesOf(page.replace('two is', 'Zero is new. two is').replace('| c |', '| e | f |\n| c |'));
    expect(longer.map(({ anchor }) => anchor)).toEqual(expect.arrayContaining(anchors));
  });
});

/** Files that make a keyed hash and check none, and why. */
const ONLY_MADE: readonly (readonly [path: string, why: string])[] = [
  ['packages/shared/src/facts/call-key.ts', 'a key is derived'],
  ['packages/shared/src/identities/operation-ids.ts', 'it marks whose an id is, which is no secret'],
  ['services/console/src/sign-in/guards.ts', 'a login is named without being told'],
  ['services/console/src/sign-in/totp-step.ts', 'the sign-in library has verified the code; this finds its half minute'],
  ['services/payments/src/use-cases/checkout/admit-card.ts', 'cards are counted without being kept'],
  ['services/payments/src/use-cases/checkout/card-ticket.ts', 'it stands inside of what is encrypted'],
  ['services/sandbox-bank/src/http/open-by-link.ts', 'compared by isSame of require-key.ts'],
  ['services/sandbox-bank/src/use-cases/notify-merchant.ts', 'the bank signs what it sends'],
];

/** Where each SDK checks a callback, and its language's comparison in constant time. */
const OTHER_LANGUAGES = [
  ['packages/signing/src/callback-signature.ts', 'timingSafeEqual('],
  ['packages/sdk/src/web.ts', 'difference |= '],
  ['sdks/go/callbacks.go', 'hmac.Equal('],
  ['sdks/python/src/pay_sdk/callbacks.py', 'hmac.compare_digest('],
  ['sdks/php/src/Callbacks.php', 'hash_equals('],
  ['sdks/java/src/pay/sdk/Callbacks.java', 'MessageDigest.isEqual('],
] as const;

/** The code of a service, without its tests. */
const sourcesOf = (service: string) =>
  globSync(`services/${service}/src/**/*.ts`, { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));

/** `get /api/card/{}`: however the pages call what stands in a path. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s|]+/g, ' ')
    .replace(/[{<][a-z]+[>}]/g, '{}');
const SECTIONS = ['service-contract', 'decisions'].flatMap((page) =>
  readFileSync(join(ROOT, `docs/spec/${page}.md`), 'utf8').split(/^#+ /m),
);
/** The sections that write out this operation, such as `get /api/card`. */
const sectionsOf = (operation: string): readonly string[] =>
  SECTIONS.filter((text) =>
    `${plain(text)} `
      .split(plain(operation))
      .slice(1)
      .some((rest) => !/^[\w/{-]/.test(rest)),
  );

describe('what the contract says of the service as a whole', () => {
  it('19: withdrawals knows no address but its database, its broker and whom it hears facts of, and calls nobody by itself', () => {
    const addresses = Object.keys(WithdrawalsConfig.shape).filter((name) => name.includes('URL'));
    expect(addresses.toSorted()).toEqual(['AMQP_URL', 'DATABASE_DIRECT_URL', 'DATABASE_URL', 'PAYMENTS_URL']);
    const calling = /\bfetch\(|from '(?:node:(?:https?|http2|net|tls|dgram|child_process)|undici)'|service-client\//;
    expect(sourcesOf('withdrawals').filter(({ source }) => calling.test(source))).toEqual([]);
  });

  it('19: events are available in LIVE as in TEST: no event is rendered, stored or sent by the environment', () => {
    const asking = sourcesOf('notifier').filter(({ source }) => /\bENVIRONMENT\b/.test(source));
    expect(asking.map(({ path }) => path)).toEqual(['services/notifier/src/config.ts']);
  });

  it('19: no operation changes the period of a binding: it is said once, with the consent of a first payment', () => {
    const taking = OPERATIONS.filter(({ request, query }) =>
      [request, query].some(
        (schema) => schema !== undefined && JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).includes('"period"'),
      ),
    );
    expect(taking.map(({ method, path }) => `${method} ${path}`)).toEqual(['post /api/card']);
    expect(OPERATIONS.filter(({ method, path }) => method === 'put' && path.includes('binding'))).toEqual([]);
  });

  it('19: whoever makes a keyed hash to check one compares in constant time, in every language', () => {
    const sources = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts', 'examples/*/src/**/*.ts'], {
      cwd: ROOT,
    })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));
    const hashing = sources.filter(({ source }) => /\bcreateHmac\(/.test(source));
    const checking = hashing.filter(({ source }) => source.includes('timingSafeEqual('));
    const unchecked = hashing.map(({ path }) => path).filter((path) => !checking.some((one) => one.path === path));
    expect(unchecked.toSorted()).toEqual(ONLY_MADE.map(([path]) => path));
    for (const [path, compare] of OTHER_LANGUAGES)
      expect([path, readFileSync(join(ROOT, path), 'utf8').includes(compare)]).toEqual([path, true]);
  });

  it('every operation of the document is written out in the contract or the decisions, with each name of its query (D5)', () => {
    const missing = OPERATIONS.flatMap(({ method, path, query }) => {
      const own = sectionsOf(`${method} ${path}`);
      if (own.length === 0) return [`${method} ${path}`];
      const words = new Set(own.join(' ').split(/\W+/));
      const names = (query instanceof z.ZodObject ? Object.keys(query.shape) : []).filter((name) => !words.has(name));
      return names.map((name) => `${method} ${path}?${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('19: every path of the document begins with /api or /v1', () => {
    expect(OPERATIONS.filter(({ path }) => !/^\/(?:api|v1)\//.test(path))).toEqual([]);
  });
});
