import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Role } from '@pay/shared/operators/roles.ts';
import type { Received, TestConsole } from '../../test/app.ts';
import { startTestPages, type TestPages } from '../../test/pages.ts';
import { obtainBundle, type Bundle } from '../bundle/bundle.ts';

/** How the pages arrive, and what they show while a service does not answer. */
let pages: TestPages;
let t: TestConsole;
let bundle: Bundle;
let open: TestPages['open'];
let origin: string;

beforeAll(async () => {
  bundle = await obtainBundle('console');
  pages = await startTestPages(bundle);
  ({ t, origin, open } = pages);
});
beforeEach(() => {
  t.answer = known;
  t.received.length = 0;
});
afterAll(() => pages.close());

const AT = '2026-11-21T10:00:00.000Z';
const RANGE = { from: AT, to: '2026-11-21T11:00:00.000Z', bucketSeconds: 3600 };
const OVERVIEWS: Readonly<Record<string, unknown>> = {
  payments: {
    ...RANGE,
    amount: '1200.50',
    buckets: [
      {
        at: AT,
        created: 9,
        completed: 3,
        failed: 5,
        expired: 3,
        cancelled: 1,
        amount: '1200.50',
        medianMs: 4_000,
        p95Ms: 9_000,
      },
    ],
    failures: [{ failureCode: 'INSUFFICIENT_FUNDS', count: 1 }],
    balances: [{ account: 'PARTNER_PAYABLE', balance: '-1200.50', share: 1000 }],
  },
  notifier: {
    ...RANGE,
    buckets: [{ at: AT, recorded: 5, delivered: 4, stopped: 1, medianMs: 100, p95Ms: 900 }],
    waiting: { waiting: 7, oldestAt: AT },
  },
  withdrawals: { waiting: [], balances: [] },
};

function known({ service, path }: Received): { status: number; text: string } {
  const body = path.startsWith('/overview') ? OVERVIEWS[service] : { items: [], nextPageToken: null };
  return { status: 200, text: JSON.stringify(body) };
}

/** The bytes of all responses, with their headers, until nothing more is requested. */
async function bytesOf(path: string, role: Role | 'stranger', language: string): Promise<number> {
  const page = await open('/docs/try.json', role);
  await page.context().addCookies([{ name: 'language', value: language, url: origin }]);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  let bytes = 0;
  // The page that was open before may end only now.
  const asked = new Set<string>();
  network.on('Network.requestWillBeSent', ({ requestId }) => asked.add(requestId));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
  await page.context().close();
  return bytes;
}

/** The paths that a page requests from here on, without its document. */
function watchRequests(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!request.isNavigationRequest() && request.url().startsWith(origin)) paths.push(`${pathname}${search}`);
  });
  return paths;
}

/** What a document names: the browser asks for all of it at once. */
const namedBy = (html: string) => [...html.matchAll(/(?:src|href)="(\/(?:assets|api)\/[^"]+)"/g)].map(([, name = '']) => name);

describe('the first page', () => {
  /** Over the wire, with everything that it needs; in Russian with the texts of all pages. See decisions/console-pages. */
  const FIRST_PAGE_BYTES_MAX = { en: 100_000, ru: 125_000 };

  it.each([
    ['/sign-in', 'stranger'],
    ['/overview', 'admin'],
  ] as const)('sends at most 100 KB, and 25 KB of texts in Russian: %s', async (path, role) => {
    for (const language of ['en', 'ru'] as const) {
      const bytes = await bytesOf(path, role, language);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(FIRST_PAGE_BYTES_MAX[language]);
    }
  });

  it('takes two round trips: strangers get the sign-in with the document, whatever they came for', async () => {
    for (const path of ['/sign-in', '/', '/payments?status=COMPLETED']) {
      const page = await open('/docs/try.json', 'stranger');
      const asked = watchRequests(page);
      const html = await (await page.goto(`${origin}${path}`))?.text();
      await page.getByLabel('Login').waitFor();
      const named = namedBy(html ?? '');
      expect(named).toEqual(expect.arrayContaining(['/api/session', '/api/sign-in-options', bundle.script]));
      // The page after the sign-in is loaded meanwhile.
      const overview = bundle.pages['overview'] ?? [];
      expect(asked.filter((one) => named.includes(one) || !overview.includes(one)).toSorted()).toEqual(named.toSorted());
      await page.context().close();
    }
  });

  it('takes three: the document, what it names, and what the page shows', async () => {
    const shows = {
      '/payments': ['/api/payments/payments?limit=50'],
      '/withdrawals': ['/api/withdrawals/withdrawals/counts', '/api/withdrawals/withdrawals?status=REQUESTED&order=oldest&limit=50'],
      '/overview?from=2026-11-21T10:00:00.000Z&to=2026-11-21T11:00:00.000Z': [
        '/api/notifier/overview?from=2026-11-21T10%3A00%3A00.000Z&to=2026-11-21T11%3A00%3A00.000Z',
        '/api/payments/overview?from=2026-11-21T09%3A00%3A00.000Z&to=2026-11-21T10%3A00%3A00.000Z',
        '/api/payments/overview?from=2026-11-21T10%3A00%3A00.000Z&to=2026-11-21T11%3A00%3A00.000Z',
        '/api/withdrawals/overview',
        ...['bindings', 'notifier', 'payments', 'withdrawals'].map((service) => `/api/${service}/queues`),
      ],
    };
    for (const [path, figures] of Object.entries(shows)) {
      const held = Promise.withResolvers<undefined>();
      t.answer = async (one) => {
        await held.promise;
        return known(one);
      };
      const page = await open('/docs/try.json');
      const asked = watchRequests(page);
      // All of it is asked for before any service has answered.
      const allAsked = Promise.all(figures.map((figure) => page.waitForRequest(`${origin}${figure}`)));
      const html = await (await page.goto(`${origin}${path}`, { waitUntil: 'commit' }))?.text();
      await allAsked;
      const expected = [...namedBy(html ?? ''), ...figures].toSorted();
      held.resolve(undefined);
      await page.waitForLoadState('networkidle');
      expect(asked.toSorted()).toEqual(expected);
      await page.context().close();
    }
  });
});

describe('an asset', () => {
  /** Without the client's own ideas of compression. */
  const ask = (path: string, accept?: string) =>
    new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>((resolve, reject) => {
      const headers = accept === undefined ? {} : { 'accept-encoding': accept };
      request(`${t.url}${path}`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { 'content-encoding': encoding, vary } = response.headers;
          resolve({ encoding, vary, bytes: Buffer.concat(chunks) });
        });
      })
        .on('error', reject)
        .end();
    });

  it.each(['script', 'style'] as const)('is compressed as the browser accepts it: the %s', async (kind) => {
    const path = bundle[kind];
    const plain = await ask(path);
    expect(plain).toMatchObject({ encoding: undefined, vary: 'Accept-Encoding' });
    const brotli = await ask(path, 'gzip, deflate, br');
    expect(brotli).toMatchObject({ encoding: 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
    const zipped = await ask(path, 'gzip, br;q=0');
    expect(zipped).toMatchObject({ encoding: 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(zipped.bytes)).toEqual(plain.bytes);
    expect(brotli.bytes.length).toBeLessThan(zipped.bytes.length);
  });

  it('has the styles of every component that a page shows', async () => {
    const whole = await readFile(new URL(import.meta.resolve('@mantine/core/styles.css')), 'utf8');
    const own = bundle.assets.get(bundle.style)?.bytes.identity.toString('utf8') ?? '';
    for (const path of ['/overview', '/withdrawals', '/deliveries', '/account', '/partners']) {
      const page = await open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const classes = await page.evaluate(() => [...document.querySelectorAll('[class]')].flatMap((one) => [...one.classList]));
      const styled = [...new Set(classes)].filter((name) => name.startsWith('m_') && whole.includes(`.${name}`));
      expect(styled.length).toBeGreaterThan(5);
      expect({ path, missing: styled.filter((name) => !own.includes(`.${name}`)) }).toEqual({ path, missing: [] });
      await page.context().close();
    }
  });
});

describe('a service that does not answer', () => {
  it('is named while it does, beside what the others said; its answer replaces the notice', async () => {
    const held = Promise.withResolvers<undefined>();
    t.answer = async (one) => {
      if (one.service === 'payments') await held.promise;
      return known(one);
    };
    const page = await open('/overview');
    await page.getByText('Callbacks waiting').waitFor();
    await page.getByText('No answer from the payments service yet').waitFor();
    await page.locator('.tile').getByText('7', { exact: true }).waitFor();
    expect(await page.getByText('service and').count()).toBe(0);
    held.resolve(undefined);
    await page.getByText('1,200.50').first().waitFor();
    await page.getByText('No answer from').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('503: only its own tiles say so, and it is asked again until it answers', async () => {
    let isDown = true;
    t.answer = (one) => (isDown && one.service === 'notifier' ? { status: 503, text: '{"error":"gone"}' } : known(one));
    const page = await open('/overview');
    await page.getByText('isn’t responding. Retrying').first().waitFor();
    await page.getByText('1,200.50').first().waitFor();
    isDown = false;
    await page.getByText('isn’t responding. Retrying').first().waitFor({ state: 'detached' });
    await page.locator('.tile').getByText('7', { exact: true }).waitFor();
    expect(await page.getByText('isn’t responding').count()).toBe(0);
    await page.context().close();
  });
});

describe('the overview', () => {
  it('counts attempts alone in the success share, and links each figure to what it counted', async () => {
    const page = await open('/overview?from=2026-11-21T10:00:00.000Z&to=2026-11-21T11:00:00.000Z');
    await page.getByText('3 of 4 completed attempts; previous period 75 %').waitFor();
    const range = 'from=2026-11-21T10%3A00%3A00.000Z&to=2026-11-21T11%3A00%3A00.000Z';
    const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href');
    expect(await hrefOf('9 created')).toBe(`/payments?${range}`);
    expect(await hrefOf('3 expired')).toBe(`/payments?status=EXPIRED&${range}`);
    expect(await hrefOf('view refused')).toBe(`/deliveries?status=REFUSED&${range}`);
    const earlier = t.received.map(({ path }) => path).filter((path) => path.startsWith('/overview?from=2026-11-21T09'));
    expect(earlier).toEqual(['/overview?from=2026-11-21T09%3A00%3A00.000Z&to=2026-11-21T10%3A00%3A00.000Z']);
    await page.context().close();
  });

  it('draws a bar where a line would have a single point', async () => {
    const page = await open('/overview');
    const chart = page.getByRole('region', { name: 'Time to pay' });
    await chart.locator('rect').first().waitFor();
    expect(await chart.locator('polyline').count()).toBe(0);
    await page.context().close();
  });
});

describe('the search', () => {
  const ID = '9c879efc-0e7d-4a0c-b214-7a10396128b2';
  const payment = { paymentId: ID, status: 'COMPLETED', amount: '10.50', partnerID: 'shop', createdAt: AT };
  const event = { eventId: ID.replace('9c', '9d'), status: 'DELIVERED', type: 'payment.completed', partnerId: 'shop', recordedAt: AT };

  it('is reached by the key /, asks every service, and lists what begins like that', async () => {
    t.answer = (one) => {
      if (one.path.startsWith('/payments?')) return { status: 200, text: JSON.stringify({ items: [payment], nextPageToken: null }) };
      if (one.path.startsWith('/events?')) return { status: 200, text: JSON.stringify({ items: [event], nextPageToken: null }) };
      return known(one);
    };
    const page = await open('/audit');
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    // The same key on a Russian keyboard.
    await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '.', code: 'Slash', bubbles: true })));
    await page.locator('input[type=search]:focus').blur();
    await page.keyboard.press('/');
    await page.keyboard.type('9c879efc');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '2 results' }).waitFor();
    const asked = t.received.map(({ path }) => path).filter((path) => path.includes('id=9c879efc'));
    expect(asked.toSorted()).toEqual([
      '/events?id=9c879efc&limit=20',
      '/payments?id=9c879efc&limit=20',
      '/withdrawals?id=9c879efc&limit=20',
    ]);
    await page.getByRole('link', { name: ID }).click();
    await page.waitForURL(`**/payments/${ID}`);
    await page.context().close();
  });

  it('keeps the focus of somebody who types before the page is there', async () => {
    const page = await open('/payments');
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    const held = Promise.withResolvers<undefined>();
    await page.route(/\/assets\/audit-/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('9c87');
    held.resolve(undefined);
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.keyboard.type('9efc');
    expect(await page.getByLabel('Find by ID').inputValue()).toBe('9c879efc');
    await page.context().close();
  });

  it('opens the only result at once, and asks for a card by its last digits, amount and day', async () => {
    t.answer = (one) =>
      one.path.startsWith('/payments?cardLastFour=1111&amount=10.50&from=2026-11-21T00')
        ? { status: 200, text: JSON.stringify({ items: [payment], nextPageToken: null }) }
        : known(one);
    const page = await open('/audit');
    await page.getByLabel('Find by ID').fill('10,50 1111 2026-11-21');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/payments/${ID}`);
    expect(new URL(page.url()).pathname).toBe(`/payments/${ID}`);
    await page.context().close();
  });
});

describe('an address', () => {
  it('404 that is no page: people get a page, programs the usual error', async () => {
    const page = await open('/payment/1');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.context().close();
    const forPeople = await fetch(`${t.url}/payment/1`, { headers: { accept: 'text/html' } });
    expect([forPeople.status, forPeople.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    await forPeople.arrayBuffer();
    const forPrograms = await fetch(`${t.url}/payment/1`);
    expect([forPrograms.status, await forPrograms.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it('of a page that the role may not see: it says so, and asks no service', async () => {
    const page = await open('/fundings', 'support');
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    expect(t.received.filter(({ path, login }) => path.startsWith('/fundings') && login === 'support@example.com')).toEqual([]);
    await page.context().close();
  });
});

describe('a session that ended', () => {
  it('is said at the sign-in, which returns to where one was', async () => {
    const page = await open('/payments?status=COMPLETED', 'operator');
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await page.getByLabel('Partner').fill('shop');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Login').fill('operator@example.com');
    await page.locator('input[name="password"]').fill(t.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=COMPLETED&partnerID=shop');
    await page.context().close();
  });
});

describe('a script that is gone', () => {
  it.each([
    ['en', 'console-', 'Reload', 'Audit log'],
    ['ru', 'russian-', 'Перезагрузить', 'Журнал действий'],
  ])('before anything is shown: the document says so itself, and loads again (%s)', async (language, script, reload, title) => {
    const page = await open('/account');
    await page.context().addCookies([{ name: 'language', value: language, url: pages.origin }]);
    // As Chromium ends what is under way when a network of the machine comes or goes.
    await page.route(`**/assets/${script}*.js`, (route) => route.abort());
    await page.goto(`${pages.origin}/audit`, { waitUntil: 'load' });
    // It is said after seconds, which nobody waits for here.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    await page.unroute(`**/assets/${script}*.js`);
    await page.getByRole('link', { name: reload }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/audit');
    await page.context().close();
  });

  it('says so, and offers to load the page again', async () => {
    const page = await open('/account');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/assets/audit-*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Couldn’t load this page' }).waitFor();
    await page.unroute('**/assets/audit-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/audit');
    await page.context().close();
  });
});
