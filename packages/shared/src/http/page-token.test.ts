import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageTokens } from './page-token.ts';

const key = Buffer.alloc(32, 7);
const tokens = pageTokens(key, 'withdrawals');
const scope = ['partner-a', undefined, 'REQUESTED'];
const token = tokens.write('1700000000000_id', scope);

describe('a page token', () => {
  it('gives back the position it was made for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.option(fc.string(), { nil: undefined })), (position, by) => {
        expect(tokens.read(tokens.write(position, by), by)).toBe(position);
      }),
    );
  });

  it('is worth nothing altered, cut or lengthened, at any place', () => {
    const altered = [...token].flatMap((_char, at) =>
      ['A', 'B', '.', '=', ' ', ''].map((other) => token.slice(0, at) + other + token.slice(at + 1)),
    );
    const cut = [...token].map((_char, at) => token.slice(0, at));
    const wrong = [...altered, ...cut, `${token}A`, `${token}=`, `${token}.`].filter((other) => other !== token);
    expect(wrong.filter((other) => tokens.read(other, scope) !== undefined)).toEqual([]);
  });

  it.each([
    ['another partner', ['partner-b', undefined, 'REQUESTED']],
    ['another filter', ['partner-a', undefined, 'REJECTED']],
    ['the same text as another filter', ['partner-a', 'REQUESTED', undefined]],
    ['fewer filters', ['partner-a', undefined]],
    ['parts that join to the same text', ['partner-', 'a', 'REQUESTED']],
  ])('is worth nothing with %s', (_title, other) => {
    expect(tokens.read(token, other)).toBeUndefined();
  });

  it('is worth nothing in another list or under another key', () => {
    expect(pageTokens(key, 'bindings').read(token, scope)).toBeUndefined();
    expect(pageTokens(Buffer.alloc(32, 8), 'withdrawals').read(token, scope)).toBeUndefined();
  });
});

it('while the key is changed, a list that was begun under the previous one goes on (L6)', () => {
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const token = pageTokens(before, 'list').write('p', ['partner']);
  expect(pageTokens(after, 'list', before).read(token, ['partner'])).toBe('p');
  expect(pageTokens(after, 'list', before).read(token, ['another'])).toBeUndefined();
  expect(pageTokens(after, 'list').read(token, ['partner'])).toBeUndefined();
});
