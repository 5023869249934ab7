import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureCode } from '@pay/contract/messages.ts';
import { request } from 'node:http';
import { ASKED, startStories, type Stories } from '../../test/checkout-pages.ts';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { TEXTS, type Failure } from './texts/texts.ts';

const CARD = { number: '4111 1111 1111 1111', expiry: '12/30', cvv: '123' };

let stories: Stories;

beforeAll(async () => {
  stories = await startStories();
});

afterAll(async () => {
  await stories.stop();
});

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(stories.origin + path, { headers, redirect: 'manual' });
}

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(stories.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
    redirect: 'manual',
  });
}

async function textOf(story: Partial<CheckoutPayment>, suffix = ''): Promise<string> {
  return (await get(`${stories.tell(story)}${suffix}`)).text();
}

describe('every page', () => {
  const POLICY = {
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; report-to csp; report-uri /csp-reports",
    'reporting-endpoints': 'csp="/csp-reports"',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
  };

  async function everyAnswer(): Promise<readonly (readonly [string, Response])[]> {
    const path = stories.tell({});
    return [
      ['the form', await get(path)],
      ['the form with problems', await post(`${path}/card`, { ...CARD, cvv: '' })],
      ['a paid one', await get(stories.tell({ status: 'COMPLETED' }))],
      ['the state', await get(`${path}/state`)],
      ['the answer to a card', await post(`${path}/card`, CARD)],
      ['an unknown payment', await get('/pay/nobody-has-this-token')],
      ['an unknown path', await get('/')],
      ['a foreign form', await post(`${path}/card`, CARD, { 'sec-fetch-site': 'cross-site' })],
      ['a body over the limit', await post(`${path}/card`, { number: '4'.repeat(100_000) })],
    ];
  }

  it('keeps everybody else out, and itself out of every cache', async () => {
    for (const [name, answer] of await everyAnswer()) {
      const headers = Object.fromEntries(Object.keys(POLICY).map((header) => [header, answer.headers.get(header)]));
      expect({ name, ...headers }).toEqual({ name, ...POLICY });
      expect(answer.headers.get('permissions-policy')).toContain('geolocation=()');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('x-powered-by')).toBeNull();
    }
  });

  it('weighs 45 KB at most with everything that it loads, before any compression', async () => {
    const pages = [
      await get(stories.tell({})),
      await get(stories.tell({ saving: ASKED, status: 'CREATED' })),
      await get(stories.tell({ status: 'COMPLETED' })),
      await post(`${stories.tell({})}/card`, { number: '', expiry: '', cvv: '' }),
    ];
    for (const page of pages) {
      const html = await page.text();
      const files = [...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path))];
      expect(files.length).toBeGreaterThan(1);
      const sizes = await Promise.all(files.map(async (path) => (await (await get(path)).arrayBuffer()).byteLength));
      expect(sizes.reduce((sum, size) => sum + size, Buffer.byteLength(html))).toBeLessThanOrEqual(45 * 1_024);
    }
  });

  it('has no style, script or handler written into it, and asks nobody else for anything', async () => {
    for (const story of [
      {},
      { status: 'COMPLETED' },
      { status: 'PENDING' },
      { status: 'PENDING', acsUrl: 'https://bank.example/' },
    ] as const) {
      const page = await textOf(story, '/result');
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="\/assets\/)/);
      expect(page).not.toMatch(/(?:src|<link[^>]+href)="(?!\/assets\/)/);
    }
  });
});

describe('assets', () => {
  it('carry their content in their name and may be kept for ever', async () => {
    const path = /"(\/assets\/checkout\.[\w-]{12}\.css)"/.exec(await textOf({}))?.[1] ?? '';
    const answer = await get(path);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await get(path.replace(/checkout\.[\w-]+/, 'checkout.000000000000'))).status).toBe(404);
    expect((await get('/assets/..%2Froutes.ts')).status).toBe(404);
  });
});

describe('what partners write', () => {
  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)",
    '</title><script>alert(1)</script>',
    '&lt;script&gt;',
    '${1+1}',
    '{{1+1}}',
    '\u202egnp.exe',
    '😀'.repeat(70),
    'а'.repeat(140),
  ])('%j stays a text', async (naughty) => {
    for (const status of ['SUBMITTED', 'COMPLETED', 'REJECTED', 'PENDING'] as const) {
      const page = await textOf({ status, storeName: naughty, description: naughty, merchantOrderId: naughty });
      expect(page).not.toMatch(/<script>|<img|<[^>]*\sonfocus=/);
      const escaped = naughty.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
      expect(page).toContain(escaped);
    }
  });

  it('the address to go back to is the same for every end: it says nothing of the payment', async () => {
    const returnUrl = 'https://shop.example/thanks?order=4217';
    const ends = ['COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED'] as const;
    for (const status of ends) {
      const page = await textOf({ status, returnUrl }, '/result');
      const addresses = [...page.matchAll(/(?:href|url|action)="?'?(https:[^"'>]+)/gi)].map(([, address]) => address);
      expect([status, [...new Set(addresses)]]).toEqual([status, [returnUrl]]);
    }
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'JaVaScRiPt:alert(1)', 'not an address'])(
    'an address of %s leads nowhere',
    async (url) => {
      const paid = await textOf({ status: 'COMPLETED', returnUrl: url }, '/result');
      expect(paid.toLowerCase()).not.toContain(url.toLowerCase());
      expect(paid).toContain(TEXTS.ru.closeThisPage);
      const bank = await textOf({ status: 'PENDING', acsUrl: url });
      expect(bank.toLowerCase()).not.toContain(url.toLowerCase());
    },
  );
});

describe('the card', () => {
  it('303 to the payment’s page, and the number is in no address', async () => {
    const path = stories.tell({});
    const answer = await post(`${path}/card`, CARD);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}/result`]);
    const page = await (await get(`${path}/result`)).text();
    expect(page).toContain('<h1>Оплачено</h1>');
    // The port of the shop's address may have any digits.
    expect(page.replaceAll(/127\.0\.0\.1:\d+/g, '')).not.toMatch(/4111|\b123\b/);
  });

  it.each(['number', 'expiry', 'cvv'])(
    '400 names a wrong %s at the top and at the field, and gives back a right expiry date only',
    async (field) => {
      const typed = { number: '4000 0038 0000 0446', expiry: '07/31', cvv: '987', [field]: '777777777' };
      const answer = await post(`${stories.tell({})}/card`, typed);
      const page = await answer.text();
      expect(answer.status).toBe(400);
      expect(page).toContain(`<li><a href="#${field}">`);
      expect(page).toMatch(new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-problem ${field}-hint"`));
      expect(page).toContain(`id="${field}-problem"`);
      expect(page).toContain('<title>Ошибка: ');
      const values = (page.match(/<input[^>]*>/g) ?? []).flatMap((input) => / value="([^"]*)"/.exec(input)?.[1] ?? []);
      expect(values).toEqual(field === 'expiry' ? [] : ['07/31']);
      const withoutTestCards = page.replace(/<aside[\s\S]*?<\/aside>/, '');
      expect(withoutTestCards).not.toMatch(/4000 ?0038|987|777777777/);
    },
  );

  it('a second press sends no second card and ends on the same page', async () => {
    const path = stories.tell({});
    const answers = await Promise.all([post(`${path}/card`, CARD), post(`${path}/card`, CARD), post(`${path}/card`, CARD)]);
    expect(answers.map((answer) => [answer.status, answer.headers.get('location')])).toEqual(
      Array.from({ length: 3 }, () => [303, `${path}/result`]),
    );
    expect(stories.cardsTaken(path)).toBe(1);
  });

  it('503 shows the form again and says that nothing was taken, when no card can be sent', async () => {
    stories.setRoute(false);
    const answer = await post(`${stories.tell({})}/card`, CARD);
    stories.setRoute(true);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(page).toContain(TEXTS.ru.card.routeUnavailable.what);
    expect(page).toContain(TEXTS.ru.noMoneyTaken);
    expect(page).toContain('autocomplete="cc-number"');
    expect(page).toMatch(/id="expiry"[^>]* value="12\/30"/);
    expect(page.replace(/<aside[\s\S]*?<\/aside>/, '')).not.toMatch(/4111/);
  });

  it('answers the page’s script with where to go on, what is wrong, or why nothing was sent; the statuses are those of the pages', async () => {
    const path = stories.tell({});
    const asked = async (fields: object) => {
      const answer = await post(`${path}/card?lang=en`, { ...CARD, ...fields, answer: 'json' });
      const body: unknown = await answer.json();
      return [answer.status, answer.headers.get('retry-after'), body];
    };
    const { heldBack, routeUnavailable } = TEXTS.en.card;
    const sentences = ({ what, advice }: Failure) => `${what}. ${TEXTS.en.noMoneyTaken} ${advice}`;
    expect(await asked({ number: '4111 1111 1111 1112', cvv: '' })).toEqual([
      400,
      null,
      {
        problems: [
          { field: 'number', problem: 'number-mistyped' },
          { field: 'cvv', problem: 'cvv-missing' },
        ],
      },
    ]);
    stories.holdBack(true);
    expect(await asked({})).toEqual([429, '600', { trouble: sentences(heldBack) }]);
    stories.holdBack(false);
    stories.setRoute(false);
    expect(await asked({})).toEqual([503, '60', { trouble: sentences(routeUnavailable) }]);
    stories.setRoute(true);
    const next = `${path}/result?lang=en`;
    expect(await asked({})).toEqual([200, null, { next }]);
    expect(await asked({})).toEqual([200, null, { next }]);
    expect(stories.cardsTaken(path)).toBe(1);
  });

  it('answers the page’s script with the words of the error page: 403, 404, and 500 with the reference', async () => {
    const path = stories.tell({});
    const asked = async (address: string, headers = {}) => {
      const answer = await post(`${address}/card?lang=en`, { ...CARD, answer: 'json' }, headers);
      const body: unknown = await answer.json();
      return { status: answer.status, id: answer.headers.get('x-request-id') ?? '', body };
    };
    const { notFromOurPage, notFound, trouble, reference } = TEXTS.en;
    const sentences = ({ what, advice }: Failure) => `${what} ${advice}`;
    expect(await asked(path, { 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
      body: { trouble: sentences(notFromOurPage) },
    });
    expect(await asked('/pay/nobody-has-this-token')).toMatchObject({
      status: 404,
      body: { trouble: sentences(notFound) },
    });
    const getUTCMonth = () => {
      throw new Error('broken');
    };
    const broken = await asked(stories.tell({ now: Object.assign(new Date('2026-11-21T11:00:00Z'), { getUTCMonth }) }));
    expect(broken).toMatchObject({
      status: 500,
      body: { trouble: `${sentences(trouble)} ${reference}: ${broken.id}` },
    });
    expect(stories.cardsTaken(path)).toBe(0);
  });

  it('a card that is held back is answered with the form, 429: another card, or later; nothing was sent (M8)', async () => {
    const path = stories.tell({});
    stories.holdBack(true);
    const answer = await post(`${path}/card?lang=en`, CARD);
    stories.holdBack(false);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('retry-after'), stories.cardsTaken(path)]).toEqual([429, '600', 0]);
    expect(page).toContain(TEXTS.en.card.heldBack.what);
    expect(page).toContain(TEXTS.en.card.heldBack.advice);
    expect(page).toContain('autocomplete="cc-number"');
    expect(page.replace(/<aside[\s\S]*?<\/aside>/, '')).not.toMatch(/4111|12\/30/);
    expect((await post(`${path}/card`, CARD)).status).toBe(303);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
    [{ origin: 'null' }, 303],
    [{}, 303],
  ])('a form sent with %j: %d', async (headers, status) => {
    const path = stories.tell({});
    expect((await post(`${path}/card`, CARD, { ...headers })).status).toBe(status);
    expect(stories.cardsTaken(path)).toBe(status === 303 ? 1 : 0);
    expect((await post(`${stories.tell({})}/cancel`, {}, { ...headers })).status).toBe(status);
  });

  it('415 for a body that is no form, 413 for one over 64 KiB, 400 for what cannot be read, each as a page', async () => {
    const path = `${stories.tell({})}/card`;
    const json = await fetch(stories.origin + path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    const large = await post(path, { number: '4'.repeat(100_000) });
    const zipped = await post(path, CARD, { 'content-encoding': 'gzip' });
    expect([json.status, large.status, zipped.status]).toEqual([415, 413, 415]);
    expect(await large.text()).toContain(`<h1>${TEXTS.ru.unreadable.title}</h1>`);
  });
});

describe('the other routes', () => {
  it('404 as a page, for a token that is unknown, misshapen or hostile', async () => {
    for (const path of [
      '/pay/nobody-has-this-token',
      '/pay/x',
      '/pay/%00%00%00%00%00%00%00%00%00%00%00',
      "/pay/'or'1'='1'or'1'='1",
      '/',
      '//evil.example/pay',
    ]) {
      const answer = await sendRaw(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.text).not.toContain('evil.example');
    }
  });

  it('an address that only takes forms leads to the payment', async () => {
    const path = stories.tell({});
    const answer = await get(`${path}/card?lang=en`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?lang=en`]);
  });

  it('the state tells status and page, and nothing else', async () => {
    const path = stories.tell({ status: 'PENDING', acsUrl: stories.bank });
    expect(await (await get(`${path}/state`)).json()).toEqual({ status: 'PENDING', page: 'bank' });
    expect((await get('/pay/nobody-has-this-token/state')).status).toBe(404);
  });

  it('the state of a payment at the bank asks the bank, so that a buyer who watches does not wait for the worker', async () => {
    const path = stories.tell({ status: 'PENDING', acsUrl: stories.bank });
    await fetch(`${stories.bank}/3ds${path.slice('/pay'.length)}/approve`, { redirect: 'manual' });
    expect(await (await get(`${path}/state`)).json()).toEqual({ status: 'COMPLETED', page: 'paid' });
  });

  it('cancelling ends it: no money, why, and the way back to the shop', async () => {
    const path = stories.tell({});
    expect((await post(`${path}/cancel`, {})).headers.get('location')).toBe(path);
    const page = await (await get(path)).text();
    expect(page).toContain(TEXTS.ru.cancelled.title);
    expect(page).toContain(TEXTS.ru.noMoneyTaken);
    expect(page).toContain(`href="${stories.shop}/thanks?order=4217&amp;from=form"`);
  });
});

describe('the bank’s page', () => {
  it('is reached by script, refresh or link, and never by a form', async () => {
    const acsUrl = `${stories.bank}/3ds/x?a=1&b="2"`;
    const page = await textOf({ status: 'PENDING', acsUrl });
    const written = new URL(acsUrl).href.replaceAll('&', '&amp;');
    expect(page).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${written}"/></noscript>`);
    expect(page).toContain(`href="${written}"`);
    expect(page).not.toContain('<form');
  });

  it('is reached by a form where the issuer wants one, and the policy lets that form go there only', async () => {
    const path = stories.tell({ status: 'PENDING', acsUrl: `${stories.bank}/acs/1`, acsRequest: 'eyJhIjoxfQ' });
    const answer = await get(path);
    const page = await answer.text();
    expect(page).toContain(`<form method="post" action="${stories.bank}/acs/1"`);
    expect(page).toContain('<input type="hidden" name="creq" value="eyJhIjoxfQ"/>');
    expect(page).not.toContain('http-equiv');
    expect(answer.headers.get('content-security-policy')).toContain(`form-action 'self' ${stories.bank};`);
    expect(await (await get(`${path}/returned`)).text()).toContain(`<a href="${path}"`);
    const plain = await get(stories.tell({ status: 'PENDING', acsUrl: `${stories.bank}/3ds` }));
    expect(plain.headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  it('takes the buyer back by another site’s form, and believes nothing that it brings', async () => {
    const path = stories.tell({ status: 'PENDING', acsUrl: stories.bank, acsRequest: 'x' });
    const headers = { origin: 'https://acs.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const back = await sendRaw(`${path}/return`, headers, new URLSearchParams({ cres: 'anything' }).toString());
    expect([back.status, back.location]).toEqual([303, `${path}/returned`]);
  });

  it('does not get a buyer back in a circle whom it sends here undecided', async () => {
    const path = stories.tell({ status: 'PENDING', acsUrl: stories.bank });
    const back = await get(`${path}/return`);
    expect([back.status, back.headers.get('location')]).toEqual([303, `${path}/returned`]);
    const page = await (await get(`${path}/returned`)).text();
    expect(page).toContain(`<h1>${TEXTS.ru.waiting.title}</h1>`);
    expect(page).not.toContain('http-equiv');
    expect(page).toContain(`href="${path}/return"`);
  });
});

describe('3DS Method: the issuer looks at the browser before the card is sent', () => {
  const METHOD_CARD = { ...CARD, number: '4000 0000 0000 3220' };
  const ISSUER = {
    origin: 'https://acs.example',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const asJson = async (answer: Response) => (await answer.json()) as Readonly<Record<string, string>>;
  const dataOf = (page: string) => /name="threeDSMethodData" value="([\w-]+)"/.exec(page)?.[1] ?? '';
  const notificationOf = (data: object) =>
    new URLSearchParams({ threeDSMethodData: Buffer.from(JSON.stringify(data)).toString('base64url') }).toString();

  it('asking takes no card: what is wrong, or has no Method, is answered with nothing', async () => {
    const path = stories.tell({});
    for (const fields of [CARD, { ...CARD, number: '' }, {}]) expect(await asJson(await post(`${path}/card/prepare`, fields))).toEqual({});
    expect(await asJson(await post(`${stories.tell({ status: 'COMPLETED' })}/card/prepare`, METHOD_CARD))).toEqual({});
    expect([stories.cardsTaken(path), stories.cardsPrepared(path)]).toEqual([0, 1]);
    expect((await post(`${path}/card/prepare`, CARD, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post('/pay/nobody-has-this-token/card/prepare', CARD)).status).toBe(404);
  });

  it('the hidden frame posts to the issuer, who is told our address; the policy names that issuer and nobody else', async () => {
    const path = stories.tell({});
    const { ticket = '', threeDsServerTransId } = await asJson(await post(`${path}/card/prepare`, METHOD_CARD));
    const answer = await post(`${path}/method`, { ticket });
    const page = await answer.text();
    expect(page).toContain(`<form method="post" action="${stories.bank}/method/`);
    expect(page).toMatch(/<iframe [^>]*sandbox="allow-forms allow-scripts allow-same-origin"/);
    expect(JSON.parse(Buffer.from(dataOf(page), 'base64url').toString())).toEqual({
      threeDSServerTransID: threeDsServerTransId,
      threeDSMethodNotificationURL: `${stories.origin}${path}/method/done`,
    });
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain(`frame-src 'self' ${stories.bank};`);
    expect(policy).toContain(`form-action 'self' ${stories.bank};`);
    expect(policy).toContain("frame-ancestors 'self';");
    expect(policy).toContain("script-src 'self';");
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('without a ticket of this payment there is no frame, and a stranger’s page gets none', async () => {
    const path = stories.tell({});
    const { ticket = '' } = await asJson(await post(`${path}/card/prepare`, METHOD_CARD));
    expect((await post(`${path}/method`, { ticket: 'made-up' })).status).toBe(404);
    expect((await post(`${stories.tell({})}/method`, { ticket })).status).toBe(404);
    expect((await post(`${path}/method`, { ticket }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('the issuer’s notification only tells the page around it which authentication it was, and asks no bank', async () => {
    const path = stories.tell({ status: 'PENDING', acsUrl: stories.bank });
    const answer = await sendRaw(`${path}/method/done`, ISSUER, notificationOf({ threeDSServerTransID: '8a88"><b>' }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('data-authentication="8a88&quot;>&lt;b>"');
    const done = await post(`${path}/method/done`, { threeDSMethodData: 'no data at all' });
    expect(await done.text()).toContain('<p data-authentication></p>');
    expect(done.headers.get('content-security-policy')).toContain("frame-ancestors 'self';");
    expect(done.headers.get('content-security-policy')).toContain("form-action 'self';");
    const picture = { ...ISSUER, 'sec-fetch-mode': 'no-cors' };
    expect((await sendRaw(`${path}/method/done`, picture, notificationOf({}))).status).toBe(403);
    expect((await get(path)).status).toBe(200);
  });

  it('what the browser measured goes with the card, with its headers; what is not as it should be is left out', async () => {
    const measured = {
      colorDepth: '30',
      screenHeight: '844',
      screenWidth: '390',
      timezoneOffsetMinutes: '-180',
      language: 'zh-Hans-CN',
      isJavaEnabled: 'false',
    };
    const path = stories.tell({});
    await post(
      `${path}/card`,
      { ...CARD, ...measured, isMethodDone: 'true', ticket: 't' },
      { 'user-agent': 'Phone/1.0', accept: 'text/html' },
    );
    expect(stories.sentWith(path)).toMatchObject({
      isMethodDone: true,
      ticket: 't',
      buyer: {
        userAgent: 'Phone/1.0',
        accept: 'text/html',
        browser: { colorDepth: 24, screenHeight: 844, screenWidth: 390, timezoneOffsetMinutes: -180, language: 'zh', isJavaEnabled: false },
      },
    });
    for (const change of [
      { colorDepth: '0' },
      { screenWidth: '1e3' },
      { screenHeight: '-1' },
      { timezoneOffsetMinutes: '900' },
      { language: '<b>' },
      { isJavaEnabled: 'yes' },
    ]) {
      const other = stories.tell({});
      expect((await post(`${other}/card`, { ...CARD, ...measured, ...change })).status).toBe(303);
      expect(stories.sentWith(other)?.buyer?.browser).toBeUndefined();
    }
  });

  it('without the script a card goes without any of it', async () => {
    const path = stories.tell({});
    await post(`${path}/card`, CARD);
    expect(stories.sentWith(path)).toMatchObject({ isMethodDone: false, buyer: { browser: undefined } });
    expect(stories.sentWith(path)?.ticket).toBeUndefined();
  });
});

describe('languages', () => {
  it.each([
    ['', undefined, 'ru'],
    ['', 'ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
    ['', 'en-US,en;q=0.9', 'en'],
    ['', 'en;q=0.5, ru;q=0.9', 'ru'],
    ['', 'de-DE,de;q=0.9,en;q=0.5', 'en'],
    ['', 'de-DE', 'ru'],
    ['', 'en;q=0', 'ru'],
    ['', '*', 'ru'],
    ['', ';;;q=,,', 'ru'],
    ['?lang=en', 'ru', 'en'],
    ['?lang=ru', 'en', 'ru'],
    ['?lang=xx', 'en', 'en'],
    ['?lang=%22%3E%3Cscript%3E', 'en', 'en'],
  ])('%j with Accept-Language %j: %s', async (query, accept, language) => {
    const answer = await sendRaw(stories.tell({}) + query, accept === undefined ? {} : { 'accept-language': accept });
    expect(answer.text).toContain(`<html lang="${language}"`);
  });

  it('a choice is carried on by every link, form and redirect, and a guess is not', async () => {
    const path = stories.tell({});
    const chosen = await (await get(`${path}?lang=en`)).text();
    expect(chosen).toContain(`action="${path}/card?lang=en"`);
    expect(chosen).toContain(`action="${path}/cancel?lang=en"`);
    expect(chosen).toContain(`href="${path}?lang=ru"`);
    expect((await post(`${path}/card?lang=en`, CARD)).headers.get('location')).toBe(`${path}/result?lang=en`);
    expect(await textOf({})).not.toMatch(/action="[^"]*lang=/);
  });
});

describe('how it ended', () => {
  it.each(failureCode.options)('%s is said in words, with what to do and that no money was taken', async (code) => {
    for (const language of ['ru', 'en'] as const) {
      const texts = TEXTS[language];
      const page = await textOf({ status: 'REJECTED', failureCode: code }, `?lang=${language}`);
      expect(page).toContain(`<h1>${texts.declined.title}</h1>`);
      expect(page).toContain(texts.failures[code].what);
      expect(page).toContain(texts.failures[code].advice);
      expect(page).toContain(`<strong>${texts.noMoneyTaken}</strong>`);
      expect(page).not.toContain(code);
    }
  });

  it('a link that was paid says so, and a refunded one as well', async () => {
    expect(await textOf({ status: 'COMPLETED' })).toContain(`<h1>${TEXTS.ru.paid.already}</h1>`);
    expect(await textOf({ status: 'COMPLETED' }, '/result')).toContain(`<h1>${TEXTS.ru.paid.title}</h1>`);
    expect(await textOf({ status: 'REFUNDED' })).toContain(`<h1>${TEXTS.ru.refunded.title}</h1>`);
  });

  it('an order without a purpose has no row for it', async () => {
    expect(await textOf({})).toContain(`<dt>${TEXTS.ru.order.purpose}</dt>`);
    expect(await textOf({ description: '' })).not.toContain(TEXTS.ru.order.purpose);
  });

  it('the end of the session is a time of day for those without the script', async () => {
    const page = await textOf({});
    expect(page.replace(/<\/?time[^>]*>/g, '')).toContain('>Оплатите до 14:59 по\u00a0московскому времени</span>');
  });

  it('a session that is over takes no card although its payment is not EXPIRED yet', async () => {
    const now = new Date('2026-11-21T12:00:00.000Z');
    const path = stories.tell({ now, expiresAt: now });
    expect(await (await get(path)).text()).toContain(`<h1>${TEXTS.ru.expired.title}</h1>`);
    expect((await post(`${path}/card`, CARD)).status).toBe(303);
    expect(stories.cardsTaken(path)).toBe(0);
  });

  it('the TEST strip and its cards are there in TEST, and not in LIVE', async () => {
    expect(await textOf({})).toContain('4000 0038 0000 0446');
    const live = await textOf({ environment: 'LIVE' });
    expect(live).not.toContain(TEXTS.ru.test.title);
    expect(live).not.toContain('4000');
  });
});

it('the two languages say the same things', () => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
      : typeof value;
  expect(shape(TEXTS.en)).toEqual(shape(TEXTS.ru));
  expect(JSON.stringify(TEXTS.en)).not.toMatch(/"[^"]*[а-яё][^"]*"(?=[,}])/i);
});

/** A request whose path no client library has tidied, with no header but those given. */
type RawAnswer = { readonly status: number; readonly text: string; readonly location: string | undefined };

/** Sends these headers and no others, as `fetch` would; a body makes it a POST. */
function sendRaw(path: string, headers: Record<string, string> = {}, body?: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(stories.origin);
    request({ hostname, port, path, headers, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          location: answer.headers.location,
        });
      });
    })
      .on('error', reject)
      .end(body);
  });
}
