import { globSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { generateKeys } from '../packages/sdk/src/keys.ts';
import { createApp } from '../packages/shared/src/http/app.ts';
import { createLog } from '../packages/shared/src/logging/logger.ts';
import { parseOpenSshKey, publicKeyOf } from '../packages/signing/src/ed25519.ts';
import { requestIsSigned } from '../packages/signing/src/request-signature.ts';
import { createDocsRoute } from '../services/console/src/http/docs.ts';
import { forwardTryItRoute, offerTryItRoute } from '../services/console/src/http/try-it.ts';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { findingsOf, keepScreenshot, openBrowser, withPage, type Visitor } from './browser.ts';

/** The documentation in a real browser, as the console serves it, before a public API that checks signatures. */
const keys = generateKeys();
const asked: { readonly method: string; readonly target: string; readonly cookie: string | undefined; readonly isSigned: boolean }[] = [];
const api = createServer((request, response) => {
  const authorization = request.headers.authorization ?? '{}';
  const given = JSON.parse(authorization) as { sign: string; timestamp: string; nonce: string };
  const { method = '', url: target = '' } = request;
  const parts = { ...given, method, target, idempotencyKey: '', body: Buffer.alloc(0) };
  const key = publicKeyOf(parseOpenSshKey(keys.publicKey) ?? Buffer.alloc(0));
  asked.push({ method, target, cookie: request.headers.cookie, isSigned: requestIsSigned(key, parts, Buffer.from(given.sign, 'base64')) });
  response.writeHead(200, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1' });
  response.end('{"id":"p-1","amount":10.50}');
});
let console: ReturnType<typeof createServer>;
let browser: Browser;
let docs: string;

const listen = async (server: ReturnType<typeof createServer>) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
};

beforeAll(async () => {
  const apiUrl = await listen(api);
  const app = createApp({
    listener: 'console',
    log: createLog('console', 'silent'),
    requestIdFrom: 'edge',
    routes: (routes) => {
      routes.get('/docs/try.json', offerTryItRoute);
      routes.all('/docs/try/{*path}', forwardTryItRoute(apiUrl));
      routes.get('/docs/{*path}', createDocsRoute());
    },
  });
  console = createServer(app);
  docs = `${await listen(console)}/docs/`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  for (const server of [console, api]) {
    server.closeAllConnections();
    server.close();
  }
});

const DESK: Visitor = { screen: 'desk', language: 'en', javaScript: true };
const PHONE: Visitor = { screen: 'phone', language: 'en', javaScript: true, colors: 'dark' };

/** What axe finds. Of the operations, which are all made alike, it looks at three of a kind: all would take half a minute. */
async function findingsOfDocs(page: Page): Promise<string[]> {
  await page.evaluate(`for (const one of document.querySelectorAll('.operation ~ .operation ~ .operation ~ .operation')) one.remove()`);
  return findingsOf(page);
}

it('the reference: the search finds a call, its link opens it, its examples change language, and it is tried with a signature', async () => {
  await withPage(
    browser,
    DESK,
    async (page) => {
      await page.goto(`${docs}partners/signing.html`);
      await page.keyboard.press('/');
      await page.keyboard.type('refund');
      await page.locator('#found a').first().waitFor();
      expect(await page.locator('#found a').first().getAttribute('href')).toBe('../partners/guides/refunds.html');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('read card paymnet');
      const found = page.locator('#found a').first();
      await found.waitFor();
      await page.waitForFunction(`document.querySelector('#found a').href.includes('#readCardPayment')`);
      expect(await found.getAttribute('href')).toBe('../reference.html#readCardPayment');
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { name: 'Read card payment' });
      await heading.waitFor();
      await page.waitForFunction('document.querySelector("#readCardPayment").getBoundingClientRect().top < 200');
      const operation = page.locator('.operation', { has: heading });
      await operation.getByRole('button', { name: 'Python' }).click();
      expect(await operation.locator('.example:visible code').first().textContent()).toContain('client.read_card_payment(');

      await operation.getByText('Try it in TEST').click();
      await operation.getByLabel('id', { exact: true }).fill('p-1');
      await operation.getByRole('button', { name: 'Sign and send' }).click();
      await operation.getByRole('link', { name: 'Say first who signs.' }).click();
      await page.getByLabel('partnerID', { exact: true }).first().fill('demo-partner');
      await page.getByLabel('Private key', { exact: true }).fill(keys.publicKey);
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByText('this is a public key, not the private one: give the whole text').waitFor();
      await page.getByLabel('Private key', { exact: true }).fill(keys.privateKeyPem.replaceAll('\n', '\\n'));
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByText(keys.publicKey).waitFor();
      expect(await page.getByLabel('Private key', { exact: true }).inputValue()).toBe('');
      await page.context().addCookies([{ name: 'session', value: 'of-an-operator', url: docs }]);
      await operation.getByRole('button', { name: 'Sign and send' }).click();
      await operation.getByText('200 in').waitFor();
      expect(await operation.locator('output pre').textContent()).toBe('{\n  "id": "p-1",\n  "amount": 10.50\n}');
      expect(asked).toEqual([{ method: 'GET', target: '/api/card/p-1', cookie: undefined, isSigned: true }]);
      const stored: string = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
      expect(stored).toBe('[{"docs-language":"python"},{}]');
      await keepScreenshot(page, 'docs-reference', { fullPage: false });
      expect(await findingsOfDocs(page)).toEqual([]);
    },
    { everyStatus: true },
  );
});

it('on a phone the pages open by their button', async () => {
  await withPage(
    browser,
    PHONE,
    async (page) => {
      await page.goto(docs);
      await page.getByRole('button', { name: 'Pages' }).click();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Signing a request' }).click();
      await page.getByRole('heading', { level: 1, name: 'Signing a request' }).waitFor();
      expect(page.url()).toBe(`${docs}partners/signing.html`);
    },
    { everyStatus: true },
  );
});

/** Every page, below the root of the documentation. */
const PAGES = [
  'index.html',
  'reference.html',
  'operators.html',
  ...globSync('**/*.md', { cwd: join(ROOT, 'docs') }).map((path) => path.replace(/md$/, 'html')),
].sort();
/** What a partner reads; decisions, runbooks and the like are made of the same parts. */
const FOR_PARTNERS = PAGES.filter((path) => path.startsWith('partners/') || path === 'glossary.html');

/** Others, of each kind. */
const FOR_OTHERS = ['index.html', 'reference.html', 'operators.html', 'decisions/README.html', 'operate/runbooks/alerts/service-down.html'];

/** What these pages say: only that differs. */
const textsOf = (page: Page, paths: readonly string[]) =>
  page.evaluateHandle(async (all) => {
    const texts: [path: string, text: Element | undefined][] = [];
    for (const path of all) {
      const request = new XMLHttpRequest();
      request.responseType = 'document';
      request.open('GET', path);
      await new Promise((resolve) => {
        request.addEventListener('loadend', resolve);
        request.send();
      });
      texts.push([path, request.responseXML?.querySelector('main') ?? undefined]);
    }
    return texts;
  }, paths);

/** The pages that are wider than the window: the text of each is put into the open one. */
const tooWide = (page: Page, texts: Awaited<ReturnType<typeof textsOf>>, fontSize: string) =>
  page.evaluate(
    ({ all, size }) => {
      document.documentElement.style.fontSize = size;
      const wide: string[] = [];
      for (const [path, text] of all) {
        if (text === undefined) wide.push(`${path}: not there`);
        else document.querySelector('main')?.replaceWith(text);
        const excess = document.documentElement.scrollWidth - window.innerWidth;
        if (excess > 0) wide.push(`${path}: ${String(excess)} px`);
      }
      document.documentElement.style.fontSize = '';
      return wide;
    },
    { all: texts, size: fontSize },
  );

it('no page is wider than a window of 320 pixels, nor than a phone whose text is doubled', async () => {
  expect(PAGES.length).toBeGreaterThan(100);
  await withPage(
    browser,
    DESK,
    async (page) => {
      await page.goto(docs);
      const texts = await textsOf(page, PAGES);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await tooWide(page, texts, '')).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await tooWide(page, texts, '200%')).toEqual([]);
    },
    { everyStatus: true },
  );
});

it('axe finds nothing on any page for partners, nor on one of each other kind', async () => {
  await withPage(
    browser,
    PHONE,
    async (page) => {
      const found: Record<string, readonly string[]> = {};
      for (const path of [...FOR_PARTNERS, ...FOR_OTHERS]) {
        await page.goto(`${docs}${path}`);
        const findings = await findingsOfDocs(page);
        if (findings.length > 0) found[path] = findings;
      }
      expect(found).toEqual({});
    },
    { everyStatus: true },
  );
});
