import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { KEY_STATUSES, type KeyStatus } from '@pay/contract/operator/states.ts';
import { decideActivation, decideRevocation, type KeyDecision } from './key-status.ts';

const key = (status: KeyStatus) => ({ status, registeredBy: 'anna' });
const movesTo = (decision: KeyDecision) => (decision.kind === 'move' ? [decision.to] : []);

describe('a partner’s key', () => {
  it.each<[KeyStatus, string, KeyDecision]>([
    ['REGISTERED', 'boris', { kind: 'move', to: 'ACTIVE' }],
    ['REGISTERED', 'anna', { kind: 'refuse', reason: 'same-operator' }],
    ['ACTIVE', 'boris', { kind: 'repeat' }],
    ['REVOKED', 'boris', { kind: 'refuse', reason: 'revoked' }],
    ['REVOKED', 'anna', { kind: 'refuse', reason: 'revoked' }],
  ])('%s, activated by %s who did not, or did, register it', (status, operator, decision) => {
    expect(decideActivation(key(status), operator)).toEqual(decision);
  });

  it('is revoked by whoever is quick, and only once', () => {
    expect(KEY_STATUSES.map((status) => decideRevocation(key(status)).kind)).toEqual(['move', 'move', 'repeat']);
  });

  it('docs/partners/states.md lists its moves, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/partners/states.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## Key of a partner\n');
    const rows = [...section.matchAll(/^\| ([A-Z]+) +\| ([A-Z]+) +\|/gm)].map(([, from, to]) => [from, to]);
    const moves = KEY_STATUSES.flatMap((from) =>
      [...movesTo(decideActivation(key(from), 'boris')), ...movesTo(decideRevocation(key(from)))].map((to) => [from, to]),
    );
    expect(rows).toEqual(moves);
  });
});
