import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../packages/contract/src/api/operations.ts';
import { Config as WithdrawalsConfig } from '../../services/withdrawals/src/config.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { readContract, readProofs, type Proofs } from './files.ts';
import { sentencesOf } from './sentences.ts';

const sentences = readContract();
const proofs = readProofs();

/** Valid reasons for a sentence without a test. Whatever binds the service has one. */
const NO_RULE = /^(?:gap: filled by docs\/spec\/decisions\.md|explains: .+|leads in: .+|partner: its own duty, said to it in docs\/(?:guides\/)?[\w-]+\.md)$/; // prettier-ignore

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
  if (typeof proof !== 'string') return proof.filter((test) => !isThere(test)).map((test) => `${anchor}: there is no test ${test}`); // prettier-ignore
  if (!NO_RULE.test(proof)) return [`${anchor}: has no test, and "${proof}" is no reason`];
  const [page] = /docs\/[\w-]+\.md$/.exec(proof) ?? [];
  if (proof.startsWith('partner') && !existsSync(join(ROOT, page ?? ''))) return [`${anchor}: there is no ${proof}`];
  return proof.startsWith('gap') && !text.endsWith('not shown.') ? [`${anchor}: is no gap`] : [];
}

const sources = new Map<string, string>();
function isThere(test: string): boolean {
  const [, file = '', title = ''] = /^(\S+\.test\.ts): (.+)$/.exec(test) ?? [];
  // In code, a title may be in either kind of quotes.
  const source = sources.get(file) ?? (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '').replaceAll("\\'", "'"); // prettier-ignore
  sources.set(file, source);
  const parts = title.split(' › ');
  return title !== '' && parts.every((part) => [`'${part}'`, `"${part}"`, `\`${part}\``].some((quoted) => source.includes(quoted))); // prettier-ignore
}

describe('the contract, sentence by sentence', () => {
  it('19: every sentence has a test that is there, or says why it is no rule for the service', () => {
    expect(sentences.length).toBeGreaterThan(280);
    expect(faultsOf(sentences, proofs)).toEqual([]);
  });

  it('19: a sentence more, a test that went and a proof of nothing are each told', () => {
    const [first, second] = sentencesOf('# Ways\n\nA window is open. A gate is shut.\n');
    if (first === undefined || second === undefined) throw new Error('two sentences');
    const here = 'tools/contract/contract.test.ts: 19: a sentence more, a test that went and a proof of nothing are each told'; // prettier-ignore
    const good = { [first.anchor]: [here], [second.anchor]: 'explains: what a gate is' };
    const both = [first, second];
    expect(faultsOf(both, good)).toEqual([]);
    expect(faultsOf([first], good)).toEqual(['ways/a-gate-is-shut: the contract has no such sentence']);
    expect(faultsOf(both, { [first.anchor]: [here] })).toEqual(['ways/a-gate-is-shut: has no test']);
    expect(faultsOf(both, { ...good, [second.anchor]: [] })).toEqual(['ways/a-gate-is-shut: has no test']);
    expect(faultsOf(both, { ...good, [second.anchor]: [`${here}, or not`] })).toEqual([`ways/a-gate-is-shut: there is no test ${here}, or not`]); // prettier-ignore
    expect(faultsOf(both, { ...good, [second.anchor]: 'later' })).toEqual(['ways/a-gate-is-shut: has no test, and "later" is no reason']); // prettier-ignore
    expect(faultsOf(both, { ...good, [second.anchor]: 'gap: filled by docs/spec/decisions.md' })).toEqual(['ways/a-gate-is-shut: is no gap']); // prettier-ignore
  });

  it('19: sentences, items of lists and rows of tables are each one, and what is put in elsewhere renames none', () => {
    const page = '# Big Bad\n\nOne is here. two is too: x.\n\n- Three\n\n1. Four\n\n| A | B |\n| - | - |\n| GET | /a |\n| GET | /b |\n| c | d |\n'; // prettier-ignore
    const anchors = sentencesOf(page).map(({ anchor }) => anchor);
    expect(anchors).toEqual(['big-bad/one-is-here', 'big-bad/two-is-too-x', 'big-bad/three', 'big-bad/four', 'big-bad/get-a', 'big-bad/get-b', 'big-bad/c']); // prettier-ignore
    const longer = sentencesOf(page.replace('two is', 'Zero is new. two is').replace('| c |', '| e | f |\n| c |'));
    expect(longer.map(({ anchor }) => anchor)).toEqual(expect.arrayContaining(anchors));
  });
});

/** The code of a service, without its tests. */
const sourcesOf = (service: string) =>
  globSync(`services/${service}/src/**/*.ts`, { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));

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

  it('19: every path of the document begins with /api or /v1', () => {
    expect(OPERATIONS.filter(({ path }) => !/^\/(?:api|v1)\//.test(path))).toEqual([]);
  });
});
