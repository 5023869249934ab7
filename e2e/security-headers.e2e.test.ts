import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FORWARDED, OWN } from '../services/console/src/http/routes.ts';
import { PAGES } from '../services/console/src/http/pages.ts';
import { PORTAL_PAGES } from '../services/console/src/portal/app.ts';
import { ROUTES } from '../services/gateway/src/http/routes.ts';
import { CARDS, openWorld, type World } from './world.ts';

/** Every public page and API error, with the security headers that browsers enforce. */
let world: World;
let origins: Readonly<Record<'gateway' | 'form' | 'console' | 'portal' | 'bank' | 'bankControl', string>>;

beforeAll(async () => {
  world = await openWorld();
  const { baseUrl, checkoutUrl, consoleUrl, portalUrl, bankUrl, bankControlUrl } = world.system.addresses;
  origins = { gateway: baseUrl, form: checkoutUrl, console: consoleUrl, portal: portalUrl, bank: bankUrl, bankControl: bankControlUrl };
});
afterAll(() => world.close());

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response;
}

/** What is wrong with a response's headers; empty if nothing is. */
function faultsOf({ headers, status, url }: Response): string[] {
  const has = (name: string, pattern: RegExp) => pattern.test(headers.get(name) ?? '');
  const isPage = has('content-type', /text\/html/);
  const wanted: readonly (readonly [string, RegExp])[] = [
    ['x-content-type-options', /^nosniff$/],
    ['strict-transport-security', /^max-age=\d{8}; includeSubDomains$/],
    ['cache-control', url.includes('/assets/') ? /^(no-store|public, max-age=\d+(, immutable)?)$/ : /^no-store$/],
    ['x-request-id', /^[0-9a-f-]{36}$/],
    ...(isPage
      ? ([
          ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
          ['referrer-policy', /^no-referrer$/],
        ] as const)
      : []),
  ];
  const missing = wanted.filter(([name, pattern]) => !has(name, pattern)).map(([name]) => name);
  const leaking = ['server', 'x-powered-by', 'access-control-allow-origin'].filter((name) => headers.has(name));
  return [...missing, ...leaking].map((name) => `${String(status)} ${url}: ${name} is ${String(headers.get(name))}`);
}

const anId = (path: string) => path.replace(/\{[^}]+\}|:[A-Za-z]+/g, randomUUID());

describe('security headers of (L1)', () => {
  it('every route of the API: refused, unknown, and with a method that it does not take', async () => {
    const paths = [...ROUTES.map(([method, path]) => [method, path] as const), ['GET', '/nowhere'], ['DELETE', '/api/card']] as const;
    const answers = await Promise.all(paths.map(([method, path]) => ask(`${origins.gateway}${anId(path)}`, { method })));
    const twoMeanings = await ask(`${origins.gateway}/api/card?a=1&a=2`);
    const tooLarge = await ask(`${origins.gateway}/api/card`, { headers: { 'x-filler': 'x'.repeat(17_000) } });
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect([twoMeanings.status, tooLarge.status]).toEqual([400, 431]);
    expect([...answers, twoMeanings, tooLarge].flatMap(faultsOf)).toEqual([]);
  });

  it('every page and every route of the console', async () => {
    const pages = [
      ...PAGES,
      '/docs/',
      '/docs/openapi.json',
      '/docs/nowhere',
      '/nowhere',
      '/api/sign-in-options',
      '/api/session',
      '/api/auth/nowhere',
    ];
    const routes = [...FORWARDED.map(({ method, service, path }) => ({ method, path: `/api/${service}${path}` })), ...Object.values(OWN)];
    const answers = await Promise.all([
      ...pages.map((path) => ask(`${origins.console}${anId(path)}`)),
      ...routes.map(({ method, path }) => ask(`${origins.console}${anId(path)}`, { method })),
      ...routes.map(({ method, path }) => ask(`${origins.console}${anId(path)}`, { method, headers: { origin: origins.console } })),
    ]);
    expect(answers.flatMap(faultsOf)).toEqual([]);
  });

  it('every page of the portal, and what it passes on', async () => {
    const api = ['/api/session', '/api/partner/api/events', '/api/nowhere', '/nowhere'];
    const answers = await Promise.all([...Object.keys(PORTAL_PAGES.shownBy), ...api].map((path) => ask(`${origins.portal}${anId(path)}`)));
    expect(answers.flatMap(faultsOf)).toEqual([]);
  });

  it('every page of the form, from the card to the end, and its errors', async () => {
    const payment = await world.create();
    const token = new URL(payment.paymentUrl ?? '').pathname.split('/')[2] ?? '';
    const below = ['', '/result', '/returned', '/state', '/return', '/card', '/cancel', '/consent', '/consent/text'];
    const walk = (name: string) => Promise.all(below.map((path) => ask(`${origins.form}/pay/${name}${path}`)));
    const before = await walk(token);
    await world.pay(payment, CARDS.declined);
    const others = await Promise.all([
      ask(`${origins.form}/assets/checkout.css`),
      ask(`${origins.form}/assets/nowhere`),
      ask(`${origins.form}/saved-card/nobody`),
      ask(`${origins.form}/nowhere`),
      ask(`${origins.form}/pay/${token}/card`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }),
    ]);
    const answers = [...before, ...(await walk(token)), ...(await walk('nobody')), ...others];
    expect(answers.flatMap(faultsOf)).toEqual([]);
  });

  it('the pages and errors of the sandbox bank', async () => {
    const paths = ['/', '/operations', `/3ds/${randomUUID()}`, `/sbp/${randomUUID()}`, '/assets/bank.css', '/v1/register', '/nowhere'];
    const authorization = `Bearer ${world.system.state().secrets.bankControlKey}`;
    const answers = await Promise.all([
      ...paths.map((path) => ask(`${origins.bank}${path}`)),
      ...['/', '/operations/x', '/assets/bank.css', '/control/totals', '/nowhere'].flatMap((path) => [
        ask(`${origins.bankControl}${path}`),
        ask(`${origins.bankControl}${path}`, { headers: { authorization } }),
      ]),
    ]);
    expect(answers.flatMap(faultsOf)).toEqual([]);
  });
});
