import { describe, expect, it } from '@jest/globals';
import { returnUrlProblem } from './return-url.ts';

const SAVED = 'https://shop.example/return?from=pay';

describe('returnUrlProblem: only path and query may differ from the saved one', () => {
  it.each([
    'https://shop.example/',
    'https://shop.example/a/b?order=1',
    'https://shop.example:443/x',
    'HTTPS://SHOP.example/x',
  ])('good: %s', (text) => {
    expect(returnUrlProblem(text, SAVED, { allowPrivate: false })).toBeUndefined();
  });

  it.each([
    ['H21 another scheme', 'http://shop.example/return'],
    ['H21 another host', 'https://evil.example/return'],
    ['H21 a host that begins with the saved one', 'https://shop.example.evil.com/return'],
    ['H21 the host with a point at its end', 'https://shop.example./return'],
    ['H21 a subdomain', 'https://a.shop.example/return'],
    ['H21 another port', 'https://shop.example:8443/return'],
    ['H21 a user name that looks like the host', 'https://shop.example@evil.example/'],
    ['a fragment', 'https://shop.example/return#x'],
    ['a back-slash', 'https://shop.example\\@evil.example/'],
    ['a relative address', '/return'],
    ['nothing', ''],
  ])('bad: %s', (_title, text) => {
    expect(returnUrlProblem(text, SAVED, { allowPrivate: false })).toEqual(expect.any(String));
  });

  it('bad: nothing saved to compare it with', () => {
    expect(returnUrlProblem(SAVED, undefined, { allowPrivate: false })).toMatch(/PUT \/api\/integration\/endpoints/);
  });
});
