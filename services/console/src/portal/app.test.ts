import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readXlsx } from 'hucre/xlsx';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { createPortalApp, PORTAL_PAGES } from './app.ts';
import { PAGE_ATTEMPTS, RETRY_AFTER_MAX } from './export-payments.ts';
import { gatewayOfPortal } from './gateway.ts';
import { SIGN_INS_A_MINUTE } from './sign-in-limit.ts';

/** The portal's own rules, in front of a gateway that answers everything. Its database tests are the gateway's. */
type Received = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };
let gateway: Server;
let received: Received[];
type Reply = { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> };
let answer: (one: Received) => Reply | Promise<Reply>;
let portal: Listener;

const TOKEN = 't'.repeat(43);
const BUNDLE = { assets: new Map(), script: '/assets/x.js', style: '/assets/x.css', pages: {}, russian: [] };

async function start(environment: 'TEST' | 'LIVE' = 'TEST'): Promise<void> {
  const { port } = gateway.address() as AddressInfo;
  const deps = {
    log: createLog('portal', 'silent'),
    gateway: gatewayOfPortal(`http://127.0.0.1:${String(port)}`),
    publicUrl: 'https://portal.test',
    proxies: trustedProxies.parse('none'),
    environment,
  };
  portal = await listen(createPortalApp(deps, BUNDLE), '127.0.0.1', 0);
}

beforeEach(async () => {
  received = [];
  answer = () => ({ status: 200, body: '{}' });
  gateway = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const one = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, body };
      received.push(one);
      void Promise.resolve(answer(one)).then(({ status, body: text, headers }) => {
        res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
      });
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  await start();
});
afterEach(async () => {
  await portal.drain(0);
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
});

type Asked = { readonly cookie?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

async function ask(method: string, path: string, { cookie, body, headers }: Asked = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${String(portal.port)}${path}`, {
    method,
    headers: {
      origin: 'https://portal.test',
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Sends the path as it is: fetch would resolve it. */
function rawStatus(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: portal.port, path, headers: { cookie: `__Host-portal=${TOKEN}` } }, (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('the cookie of a session', () => {
  it('is for this host, https, no script and no other site, and is new at each sign-in', async () => {
    answer = () => ({ status: 201, body: JSON.stringify({ token: TOKEN }) });
    const before = 'b'.repeat(43);
    const body = { challengeId: 'c', signature: 's' };
    const response = await ask('POST', '/api/sessions', { body, cookie: `__Host-portal=${before}` });
    expect(response.headers.getSetCookie()).toEqual([`__Host-portal=${TOKEN}; Path=/; HttpOnly; Secure; SameSite=Strict`]);
    expect(await response.text()).not.toContain(TOKEN);
    // The gateway ends the session that the browser came with.
    expect(received.map(({ headers }) => headers['x-portal-session'])).toEqual([before]);
  });

  it('is passed on as the session, and only if it is there once: two are nobody’s', async () => {
    await ask('GET', '/api/session', { cookie: `__Host-portal=${TOKEN}` });
    await ask('GET', '/api/session', { cookie: `__Host-portal=${TOKEN}; __Host-portal=${'x'.repeat(43)}` });
    await ask('GET', '/api/session', { cookie: 'portal=y', headers: { 'x-portal-session': TOKEN } });
    expect(received.map(({ headers }) => headers['x-portal-session'])).toEqual([TOKEN, undefined, undefined]);
  });

  it('is removed when the session has ended', async () => {
    answer = () => ({ status: 401, body: '{}' });
    const response = await ask('GET', '/api/partner/api/events', { cookie: `__Host-portal=${TOKEN}` });
    expect([response.status, response.headers.getSetCookie()[0]]).toEqual([401, expect.stringContaining('Expires=Thu, 01 Jan 1970')]);
  });
});

describe('a request', () => {
  it.each([undefined, 'https://evil.test', 'https://sub.portal.test', 'null'])(
    'that changes something, from the origin %s, is refused and reaches nobody',
    async (origin) => {
      for (const path of ['/api/challenges', '/api/sessions', '/api/sign-out', '/api/partner/api/events/x/replay']) {
        const response = await fetch(`http://127.0.0.1:${String(portal.port)}${path}`, {
          method: 'POST',
          headers: { cookie: `__Host-portal=${TOKEN}`, ...(origin === undefined ? {} : { origin }) },
        });
        expect([path, response.status]).toEqual([path, 403]);
      }
      expect(received).toEqual([]);
    },
  );

  it.each([
    '/api/partner/../../operator/partners',
    '/api/partner/../session',
    '/api/partner/%2e%2e/%2e%2e/metrics',
    '/api/partner/.%2e/session',
    '/api/partner//api/./events',
  ])('to %s reaches nothing outside of the partner API', async (path) => {
    await rawStatus(path);
    expect(received.filter((one) => !one.path.startsWith('/portal/partner/') || /\/\.|%2e/i.test(one.path))).toEqual([]);
  });

  it('says nothing about its partner: only its session, its key and its body are passed on', async () => {
    await ask('POST', '/api/partner/api/events/x/replay', {
      cookie: `__Host-portal=${TOKEN}`,
      headers: { 'idempotency-key': 'k', 'x-partner-id': 'other', 'x-internal-token': 'y', authorization: 'z' },
    });
    expect(received).toMatchObject([
      { path: '/portal/partner/api/events/x/replay', headers: { 'x-portal-session': TOKEN, 'idempotency-key': 'k' } },
    ]);
    expect(Object.keys(received[0]?.headers ?? {}).filter((name) => /partner|internal|authorization|cookie/.test(name))).toEqual([]);
  });

  it.each([
    ['GET', 'SERVICE_UNAVAILABLE'],
    ['POST', 'OUTCOME_UNKNOWN'],
  ])('%s without an answer: 503 %s, because a command may have been carried out (V1)', async (method, code) => {
    answer = () => {
      gateway.closeAllConnections();
      return Promise.withResolvers<Reply>().promise;
    };
    const response = await ask(method, '/api/partner/api/events/x/replay', { cookie: `__Host-portal=${TOKEN}` });
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ code })]);
    expect(received).toHaveLength(1);
  });

  it('says which partner its page shows, in a header or at the end of a link, for the gateway to compare', async () => {
    const cookie = `__Host-portal=${TOKEN}`;
    answer = () => ({ status: 200, body: '{"items":[],"nextPageToken":null}' });
    const headers = { 'x-portal-partner': 'acme' };
    await ask('GET', '/api/keys', { cookie, headers });
    await ask('GET', '/api/partner/api/registers/RUB/2026-07-01?format=csv&portalPartner=acme', { cookie });
    await ask('GET', '/api/card.csv?portalPartner=acme', { cookie });
    await ask('GET', '/api/keys?portalPartner=other', { cookie, headers });
    await ask('GET', '/api/keys', { cookie });
    expect(received.map(({ path, headers: { 'x-portal-partner': shown } }) => [path, shown])).toEqual([
      ['/portal/keys', 'acme'],
      ['/portal/partner/api/registers/RUB/2026-07-01?format=csv', 'acme'],
      ['/portal/partner/api/card?limit=100', 'acme'],
      ['/portal/keys', 'acme'],
      ['/portal/keys', undefined],
    ]);
  });

  it('for a challenge is about this origin, whatever it says', async () => {
    const refused = await ask('POST', '/api/challenges', { body: { partnerID: 'p', origin: 'https://evil.test' } });
    await ask('POST', '/api/challenges', { body: { partnerID: 'p' } });
    expect(refused.status).toBe(400);
    expect(received.map(({ body }) => body)).toEqual([JSON.stringify({ origin: 'https://portal.test', partnerID: 'p' })]);
  });

  it('is refused when its address begins too many sign-ins', async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= SIGN_INS_A_MINUTE; count += 1)
      statuses.push((await ask('POST', '/api/challenges', { body: { partnerID: 'p' } })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SIGN_INS_A_MINUTE);
    const last = await ask('POST', '/api/sessions', { body: {} });
    expect([last.status, Number(last.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(received).toHaveLength(SIGN_INS_A_MINUTE);
  });
});

describe('what the portal makes of the partner API', () => {
  it('amounts are text: a number of JSON could lose a kopeck', async () => {
    answer = () => ({ status: 200, body: '{"items":[{"amount":1250.50,"text":"\\"amount\\":1"},{"amount":10}]}' });
    const response = await ask('GET', '/api/partner/api/card');
    expect(await response.text()).toBe('{"items":[{"amount":"1250.50","text":"\\"amount\\":1"},{"amount":"10"}]}');
  });

  it('a list as CSV: all of its pages with their filters, and no cell that a spreadsheet runs', async () => {
    const row = (id: string) =>
      `{"id":"${id}","status":"COMPLETED","paymentMethod":"CARD","amount":10.50,"refundedAmount":"0.00","currency":"RUB",` +
      `"paymentPointID":"p","orderID":"=1+1","customerID":"c","description":"d","bankOperationId":null,"createdAt":"a","updatedAt":"b"}`;
    answer = ({ path }) => {
      const next = path.includes('pageToken=more') ? 'null' : '"more"';
      return { status: 200, body: `{"items":[${row(next === 'null' ? 'two' : 'one')}],"nextPageToken":${next}}` };
    };
    const response = await ask('GET', '/api/card.csv?status=COMPLETED', { cookie: `__Host-portal=${TOKEN}` });
    const lines = (await response.text()).trim().split('\r\n');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="card-payments.csv"');
    expect(lines.slice(1)).toEqual([
      "one,COMPLETED,,CARD,10.50,0.00,RUB,p,'=1+1,c,d,,,a,b",
      "two,COMPLETED,,CARD,10.50,0.00,RUB,p,'=1+1,c,d,,,a,b",
    ]);
    expect(received.map(({ path, headers }) => [path, headers['x-portal-session']])).toEqual([
      ['/portal/partner/api/card?status=COMPLETED&limit=100', TOKEN],
      ['/portal/partner/api/card?status=COMPLETED&limit=100&pageToken=more', TOKEN],
    ]);
  });

  it('a list as Excel, and as CSV for the spreadsheet of its reader (K8)', async () => {
    const row =
      '{"id":"one","status":"COMPLETED","paymentMethod":"CARD","amount":10.50,"refundedAmount":"0.00","currency":"RUB","paymentPointID":"p","orderID":"-7","customerID":"0012","description":"d","bankOperationId":null,"createdAt":"a","updatedAt":"b"}';
    answer = () => ({ status: 200, body: `{"items":[${row}],"nextPageToken":null}` });
    const cookie = `__Host-portal=${TOKEN}`;
    const csv = await ask('GET', '/api/card.csv', {
      cookie,
      headers: { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' },
    });
    const bytes = Buffer.from(await csv.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(bytes.subarray(3).toString().split('\r\n')[1]).toBe('one;COMPLETED;;CARD;10,50;0,00;RUB;p;-7;0012;d;;;a;b');
    const xlsx = await ask('GET', '/api/card.xlsx', { cookie });
    const { sheets } = await readXlsx(new Uint8Array(await xlsx.arrayBuffer()));
    expect(sheets[0]?.rows[1]?.slice(0, 10)).toEqual(['one', 'COMPLETED', null, 'CARD', 10.5, 0, 'RUB', 'p', '-7', '0012']);
  });

  it('a register as Excel: all parts of a day between its balances (K8)', async () => {
    const line = (number: number) => ({
      line: number,
      bookedAt: 'b',
      type: 'PAYMENT',
      orderId: 'o',
      merchantOrderId: '-7',
      refundId: null,
      merchantRefundId: null,
      paymentPointID: 'p',
      paymentMethod: 'CARD',
      amount: '10.50',
      fee: '-0.26',
      net: '10.24',
      balance: '20.74',
    });
    const sums = { date: '2026-11-21', currency: 'RUB', openingBalance: '10.50', closingBalance: '20.74', parts: 2 };
    answer = ({ path }) => {
      const part = Number(new URL(path, 'http://x').searchParams.get('part'));
      return { status: 200, body: JSON.stringify({ ...sums, part, items: [line(part)] }) };
    };
    const cookie = `__Host-portal=${TOKEN}`;
    const response = await ask('GET', '/api/registers/RUB/2026-11-21.xlsx?portalPartner=acme', { cookie });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="register-RUB-2026-11-21.xlsx"');
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    const rows = sheets[0]?.rows.map((cells) => [cells[0] ?? null, cells[1], cells[2], cells[4] ?? null, cells[9] ?? null, cells[12]]);
    expect(rows).toEqual([
      ['line', 'bookedAt', 'type', 'merchantOrderId', 'amount', 'balance'],
      [null, '2026-11-21T00:00:00.000Z', 'OPENING_BALANCE', null, null, 10.5],
      [1, 'b', 'PAYMENT', '-7', 10.5, 20.74],
      [2, 'b', 'PAYMENT', '-7', 10.5, 20.74],
      [null, '2026-11-22T00:00:00.000Z', 'CLOSING_BALANCE', null, null, 20.74],
    ]);
    expect(received.map(({ path, headers }) => [path, headers['x-portal-partner']])).toEqual([
      ['/portal/partner/api/registers/RUB/2026-11-21?part=1', 'acme'],
      ['/portal/partner/api/registers/RUB/2026-11-21?part=2', 'acme'],
    ]);
    for (const file of ['2026-11-31.xlsx', '0000-01-01.xlsx', '2026-11-21.csv', '..%2Fx.xlsx'])
      expect([file, (await ask('GET', `/api/registers/RUB/${file}`, { cookie })).status]).toEqual([file, 404]);
    expect((await ask('GET', '/api/registers/EUR/2026-11-21.xlsx', { cookie })).status).toBe(404);
  });

  it('a list as CSV: a page that the rate limit refuses is asked for again after Retry-After, and none is missing', async () => {
    const pages = [
      { status: 429, body: '{}', headers: { 'retry-after': '0' } },
      { status: 200, body: '{"items":[],"nextPageToken":"more"}' },
      { status: 429, body: '{}', headers: { 'retry-after': '0' } },
      { status: 429, body: '{}', headers: { 'retry-after': '0' } },
      { status: 200, body: '{"items":[],"nextPageToken":null}' },
    ];
    answer = () => pages.shift() ?? { status: 500, body: '{}' };
    const response = await ask('GET', '/api/card.csv', { cookie: `__Host-portal=${TOKEN}` });
    expect([response.status, (await response.text()).trim().split('\r\n')]).toEqual([200, [expect.stringMatching(/^id,status/)]]);
    expect(pages).toEqual([]);
  });

  it.each([
    ['is refused without end', '0', PAGE_ATTEMPTS],
    ['would have to wait too long', String(RETRY_AFTER_MAX + 1), 1],
  ])('a list as CSV is refused if its first page %s', async (_name, seconds, attempts) => {
    answer = () => ({ status: 429, body: '{}', headers: { 'retry-after': seconds } });
    const response = await ask('GET', '/api/card.csv', { cookie: `__Host-portal=${TOKEN}` });
    expect([response.status, response.headers.get('retry-after'), received.length]).toEqual([429, seconds, attempts]);
  });

  it('a list as CSV is written one at a time for a session, and again when it has ended or broken off', async () => {
    const page = { status: 200, body: '{"items":[],"nextPageToken":null}' };
    let finish: (reply: Reply) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = () =>
        new Promise<Reply>((done) => {
          finish = done;
          resolve();
        });
    });
    const cookie = `__Host-portal=${TOKEN}`;
    const first = ask('GET', '/api/card.csv', { cookie });
    await asked;
    answer = () => page;
    const second = await ask('GET', '/api/card.csv', { cookie });
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await ask('GET', '/api/card.csv', { cookie: `__Host-portal=${'o'.repeat(43)}` })).status).toBe(200);
    finish({ status: 503, body: '{}' });
    expect((await first).status).toBe(503);
    expect((await ask('GET', '/api/card.csv', { cookie })).status).toBe(200);
  });

  it('a CSV without a session is refused', async () => {
    answer = () => ({ status: 401, body: '{}' });
    expect((await ask('GET', '/api/qr.csv?point=p')).status).toBe(401);
    expect((await ask('GET', '/api/qr.csv')).status).toBe(400);
  });

  it('test cards are shown in TEST only', async () => {
    expect(await (await ask('GET', '/api/test-cards')).text()).toContain('4111111111111111');
    await portal.drain(0);
    await start('LIVE');
    expect((await ask('GET', '/api/test-cards')).status).toBe(404);
  });
});

describe('a page', () => {
  it.each(Object.keys(PORTAL_PAGES.shownBy))('%s takes nothing from elsewhere and is in no frame', async (path) => {
    const { status, headers } = await ask('GET', path.replace(/:\w+/g, 'x'));
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
    expect([headers.get('referrer-policy'), headers.get('cross-origin-opener-policy'), headers.get('cache-control')]).toEqual([
      'no-referrer',
      'same-origin',
      'no-store',
    ]);
  });
});
