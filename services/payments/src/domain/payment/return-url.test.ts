import { describe, expect, it } from '@jest/globals';
import { returnUrlProblem } from './return-url.ts';

const SAVED = 'https://shop.example/return?from=pay';

describe('returnUrlProblem: only path and query may differ from the saved one', () => {
  it.each(['https://shop.example/', 'https://shop.example/a/b?order=1', 'https://shop.example:443/x', 'HTTPS://SHOP.example/x'])(
    'good: %s',
    (text) => {
      expect(returnUrlProblem(text, SAVED, { allowPrivate: false })).toBeUndefined();
    },
  );

  it.each([
    ['another scheme (H21)', 'http://shop.example/return'],
    ['another host (H21)', 'https://evil.example/return'],
    ['a host that begins with the saved one (H21)', 'https://shop.example.evil.com/return'],
    ['the host with a point at its end (H21)', 'https://shop.example./return'],
    ['a subdomain (H21)', 'https://a.shop.example/return'],
    ['another port (H21)', 'https://shop.example:8443/return'],
    ['a user name that looks like the host (H21)', 'https://shop.example@evil.example/'],
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
