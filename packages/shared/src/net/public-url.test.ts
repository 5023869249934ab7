import { describe, expect, it } from '@jest/globals';
import { publicUrlProblem, savedUrlProblem, withAsciiHost, withCalledOrigin } from './public-url.ts';

const strict = (text: string) => publicUrlProblem(text, { openedBy: 'us', allowPrivate: false });
const relaxed = (text: string) => publicUrlProblem(text, { openedBy: 'us', allowPrivate: true });
const browser = (text: string) => publicUrlProblem(text, { openedBy: 'browser', allowPrivate: false });

describe('publicUrlProblem', () => {
  it.each([
    ['https://shop.example/callback'],
    ['https://shop.example'],
    ['https://shop.example:443/'],
    ['https://shop.example:8443/a?b=c'],
    ['https://shop.example:1024/'],
    ['https://shop.example:10443/'],
    ['https://shop.example:65535/'],
    ['HTTPS://Shop.Example/'],
    ['https://xn--e1afmkfd.xn--p1ai/'],
    ['https://shop.example/%0d%0a'],
    ['https://1.shop.example/'],
  ])('takes %s', (text) => {
    expect(strict(text)).toBeUndefined();
  });

  it.each([
    ['H01', 'http://shop.example/'],
    ['H01', 'ftp://shop.example/'],
    ['H01', 'file:///etc/passwd'],
    ['H01', '/callback'],
    ['H01', '//shop.example/'],
    ['H01', 'javascript:alert(1)'],
    ['H01', ''],
    ['H01', 'shop.example'],
    ['H02', 'https://shop.example/#a'],
    ['H02', 'https://shop.example/#'],
    ['H03', 'https://me@shop.example/'],
    ['H03', 'https://me:pw@shop.example/'],
    ['H03', 'https://shop.example\\@evil.example/'],
    ['H03', 'https:/shop.example'],
    ['H03', 'https:shop.example'],
    ['H03', 'https:\\\\shop.example'],
    ['H03', 'https://shop.exa\tmple/'],
    ['H03', 'https://shop.example/a\nb'],
    ['H03', ' https://shop.example/'],
    ['H04', 'https://127.0.0.1/'],
    ['H04', 'https://8.8.8.8/'],
    ['H04', 'https://2130706433/'],
    ['H04', 'https://0177.0.0.1/'],
    ['H04', 'https://0x7f.1/'],
    ['H04', 'https://0x7f000001/'],
    ['H04', 'https://127.1/'],
    ['H04', 'https://①②⑦.⓪.⓪.①/'],
    ['H04', 'https://１２７.０.０.１/'],
    ['H04', 'https://%31%32%37.0.0.1/'],
    ['H04', 'https://shop.0x/'],
    ['H05', 'https://[::1]/'],
    ['H05', 'https://[::ffff:127.0.0.1]/'],
    ['H05', 'https://[fe80::1%25lo]/'],
    ['H08', 'https://localhost/'],
    ['H08', 'https://localhost./'],
    ['H08', 'https://x.localhost/'],
    ['H08', 'https://nas.local/'],
    ['H08', 'https://db.internal/'],
    ['H08', 'https://intranet/'],
    ['H08', 'https://router.home.arpa/'],
    ['H16', 'https://shop.example:22/'],
    ['H16', 'https://shop.example:25/'],
    ['H16', 'https://shop.example:1023/'],
    ['H16', 'https://shop.example:444/'],
    ['H16', 'https://shop.example:6000/'],
    ['H16', 'https://shop.example:6667/'],
    ['H16', 'https://shop.example:10080/'],
    ['H16', 'https://shop.example:0/'],
    ['H16', 'https://shop.example:65536/'],
    ['H16', 'https://shop.example:/'],
    ['H19', 'https://пример.рф/'],
    ['H20', 'https://shop.example./'],
    ['H20', 'https://shop..example/'],
    ['H23', `https://shop.example/${'a'.repeat(3_000)}`],
    ['H23', `https://${'a'.repeat(64)}.example/`],
    ['H23', `https://${'a.'.repeat(127)}example/`],
    ['H23', 'https://-shop.example/'],
    ['H23', 'https://shop_.example/'],
  ])('%s: refuses %j', (_id, text) => {
    const problem = strict(text) ?? '';
    expect(problem).toMatch(/^must /);
    // A refused value is never repeated: it may be what must not be written down.
    expect(text === '' || !problem.includes(text)).toBe(true);
  });

  it.each([['https://api.pay.example/api/card'], ['https://API.Pay.Example:8443/']])('refuses our own name in %s (H15)', (text) => {
    expect(publicUrlProblem(text, { openedBy: 'us', allowPrivate: false, ownHosts: ['api.pay.example'] })).toBe(
      'must not be this service itself',
    );
    expect(publicUrlProblem(text, { openedBy: 'us', allowPrivate: false, ownHosts: ['other.example'] })).toBeUndefined();
  });

  it('with allowPrivate takes plain http and this machine, and still no fragment, user or garbage', () => {
    for (const text of ['http://127.0.0.1:8080/cb', 'http://localhost:3000/', 'http://receiver:8080/', 'http://[::1]:80/']) {
      expect(relaxed(text)).toBeUndefined();
    }
    for (const text of ['http://127.0.0.1/#x', 'http://me@127.0.0.1/', 'ftp://127.0.0.1/', 'http:/127.0.0.1', 'http://127.0.0.1\\x']) {
      expect(relaxed(text)).toBeDefined();
    }
  });

  it.each(['http://127.0.0.1:0/cb', 'http://127.0.0.1:65536/cb', `http://${'a'.repeat(64)}.example/cb`, 'http://a..b/'])(
    'with allowPrivate refuses %s all the same',
    (text) => {
      expect(relaxed(text)).toMatch(/^must /);
    },
  );

  it.each(['https://shop.example:10443/return', 'https://shop.example:22/', 'https://8.8.8.8/', 'https://[2606:4700::1]:8443/a'])(
    'lets a browser go to %s',
    (text) => {
      expect(browser(text)).toBeUndefined();
    },
  );

  it.each([
    'http://shop.example/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://127.1/',
    'https://localhost/',
    'https://shop.example:0/',
  ])('sends no browser to %s', (text) => {
    expect(browser(text)).toMatch(/^must /);
  });
});

describe('withAsciiHost', () => {
  it.each([
    ['https://пример.рф/cb?a=1', 'https://xn--e1afmkfd.xn--p1ai/cb?a=1'],
    ['https://Пример.рф:8443/', 'https://xn--e1afmkfd.xn--p1ai:8443/'],
    ['https://shop.example/путь', 'https://shop.example/путь'],
    ['https://Shop.Example/', 'https://Shop.Example/'],
    ['not an address', 'not an address'],
  ])('%s is %s', (text, expected) => {
    expect(withAsciiHost(text)).toBe(expected);
  });

  it.each(['https://①②⑦.⓪.⓪.①/', 'https://１２７.０.０.１/', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'https://me@пример.рф/', 'https://пример。local/'])(
    'hides nothing private: %s is refused',
    (text) => {
      expect(strict(withAsciiHost(text))).toMatch(/^must /);
      expect(browser(withAsciiHost(text))).toMatch(/^must /);
    },
  );
});

describe('savedUrlProblem: what is saved is what is called (K9)', () => {
  it.each([
    ['https://shop.example/cb?', 'must not end with a ? that no query follows'],
    ['https://shop.example?', 'must not end with a ? that no query follows'],
    ['https://shop.example/foo/bar/../a', 'must not have . or .. as a segment of its path'],
    ['https://shop.example/./a', 'must not have . or .. as a segment of its path'],
    ['https://shop.example/a/..', 'must not have . or .. as a segment of its path'],
    ['https://shop.example/a/%2e%2E/b', 'must not have . or .. as a segment of its path'],
    ['https://shop.example/a/.%2e?q', 'must not have . or .. as a segment of its path'],
    ['https://shop.example/foo%2zbar', 'must have two hexadecimal digits after each %'],
    ['https://shop.example/100%', 'must have two hexadecimal digits after each %'],
    ['https://shop.example/?part=%', 'must have two hexadecimal digits after each %'],
    ["https://shop.example/?name='x'", 'must be percent-encoded as it will be called'],
  ])('refuses %s', (text, problem) => {
    for (const openedBy of ['us', 'browser'] as const) expect(savedUrlProblem(text, { openedBy, allowPrivate: false })).toBe(problem);
  });

  it.each(['http://0x7f.1/', 'http://2130706433/', 'http://127.1/', 'http://0177.0.0.1/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::0001]/'])(
    'refuses %s in TEST, too',
    (text) => {
      expect(savedUrlProblem(text, { openedBy: 'us', allowPrivate: true })).toBe(
        'must have an IP address in its usual form, such as 192.0.2.1 or [2001:db8::1]',
      );
    },
  );

  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example?a=%2F&b=..', 'https://shop.example?a=%2F&b=..'],
    ['https://shop.example/a//b;c/...//.x/x./%2e%2ex?', undefined],
    ['https://shop.example/a//b;c/...//.x/x./%2e%2ex?d=?&e', 'https://shop.example/a//b;c/...//.x/x./%2e%2ex?d=?&e'],
    ['HTTPS://Shop.Example:443/Path', 'https://shop.example/Path'],
    ['https://ПРИМЕР.рф:00443/', 'https://xn--e1afmkfd.xn--p1ai/'],
    ['https://shop.example:08443/', 'https://shop.example:8443/'],
  ])('%s is saved as %s', (text, saved) => {
    const written = withCalledOrigin(text);
    const problem = savedUrlProblem(written, { openedBy: 'us', allowPrivate: false });
    expect(problem === undefined ? written : undefined).toBe(saved);
  });
});
