import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { BINDING_STATUSES } from '@pay/contract/states.ts';
import { BINDING_MOVES, statusesBefore } from './binding-status.ts';

describe('binding states', () => {
  it.each(BINDING_STATUSES.flatMap((from) => BINDING_STATUSES.map((to) => [from, to] as const)))(
    '%s → %s is a move exactly where the contract lists it',
    (from, to) => {
      const moves = ['ACTIVE→REVOKED', 'ACTIVE→EXPIRED', 'EXPIRED→REVOKED'];
      expect(to in BINDING_MOVES[from]).toBe(moves.includes(`${from}→${to}`));
      expect(statusesBefore(to).includes(from)).toBe(moves.includes(`${from}→${to}`));
    },
  );

  it('docs/partners/states.md lists the moves of the table, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/partners/states.md', import.meta.url), 'utf8');
    const [, binding = ''] = page.split('## Binding\n');
    const [section = ''] = binding.split('\n## ');
    const rows = [...section.matchAll(/^\| ([A-Z]+) +\| ([A-Z]+) +\| (\S+) +\|/gm)].map(([, ...row]) => row);
    const moves = Object.entries(BINDING_MOVES).flatMap(([from, table]) => Object.entries(table).map(([to, event]) => [from, to, event]));
    expect(rows).toEqual(moves);
  });

  it('19.8: the decisions list the moves of the table, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/spec/decisions.md', import.meta.url), 'utf8');
    const [, sentence = ''] = /^### Binding transitions\n\n([^.]+)\./m.exec(page) ?? [];
    expect(sentence.split(', ').sort()).toEqual(
      Object.entries(BINDING_MOVES)
        .flatMap(([from, table]) => Object.keys(table).map((to) => `${from} → ${to}`))
        .sort(),
    );
  });
});
