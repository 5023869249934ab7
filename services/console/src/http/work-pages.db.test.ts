import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Received, TestConsole } from '../../test/app.ts';
import { startTestPages, type TestPages } from '../../test/pages.ts';
import { obtainBundle } from '../bundle/bundle.ts';

/** The pages of daily work: queues, saved cards, sessions, the audit log and roles. */
let pages: TestPages;
let t: TestConsole;
beforeAll(async () => {
  pages = await startTestPages(await obtainBundle('console'));
  ({ t } = pages);
});
beforeEach(() => {
  t.answer = empty;
  t.received.length = 0;
});
afterAll(() => pages.close());

const AT = '2026-11-21T10:00:00.000Z';
const ID = '9c879efc-0e7d-4a0c-b214-7a10396128b2';
const json = (body: unknown, status = 200) => ({ status, text: JSON.stringify(body) });
const empty = (_one: Received) => json({ items: [], nextPageToken: null });
const asked = (method: string) => t.received.filter((one) => one.method === method).map(({ path }) => path);
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

describe('the queues', () => {
  it('exceptions and dead letters begin with what waits, its oldest first, and their file has the same', async () => {
    const page = await pages.open('/exceptions');
    await page.getByText('No exceptions match').waitFor();
    expect(asked('GET')).toContain('/exceptions?status=OPEN&order=oldest&limit=50');
    const file = () => page.getByRole('link', { name: 'CSV of this list' }).getAttribute('href');
    expect(await file()).toBe('/api/exceptions.csv?status=OPEN&order=oldest');
    await page.goto(`${pages.origin}/dead-letters?service=bindings`);
    await page.getByText('No dead letters match').waitFor();
    expect(asked('GET')).toContain('/dead-letters?status=WAITING&order=oldest&limit=50');
    expect(await file()).toBe('/api/bindings-dead-letters.csv?status=WAITING&order=oldest');
    await page.context().close();
  });

  it('are counted in the menu, each by its own service', async () => {
    t.answer = (one) => {
      if (one.path.startsWith('/exceptions?status=OPEN')) return json({ items: Array.from({ length: 100 }, () => ({})) });
      if (one.path === '/withdrawals/counts')
        return json({
          items: [
            { status: 'REQUESTED', count: 2 },
            { status: 'APPROVED', count: 3 },
            { status: 'COMPLETED', count: 9 },
          ],
        });
      if (one.path === '/queues')
        return one.service === 'notifier' ? json({}, 503) : json({ items: [{ queue: 'dead-letters', waiting: 1 }] });
      return empty(one);
    };
    const page = await pages.open('/account');
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Withdrawals 5 waiting' }).waitFor();
    await menu.getByRole('link', { name: 'Exceptions 99+ waiting' }).waitFor();
    await menu.getByRole('link', { name: 'Proposals', exact: true }).waitFor();
    await menu.getByRole('link', { name: 'Dead letters', exact: true }).waitFor();
    const counting = t.received.filter(({ path }) => path === '/queues').map(({ service }) => service);
    expect(new Set(counting)).toEqual(new Set(['bindings', 'notifier', 'withdrawals']));
    await page.context().close();
  });
});

describe('an exception of an operation that only the bank knows', () => {
  const exceptionOf = (n: number, kind: 'PAYMENT' | 'REFUND') => ({
    exceptionId: ID.replace('9c', `${String(n)}c`),
    kind: 'MISSING_HERE',
    status: 'OPEN',
    reason: 'Only in exports.',
    date: '2026-11-20',
    routeId: 'sandbox-bank',
    paymentId: null,
    operationId: `op-${String(n)}`,
    bankOperationId: 'b-1',
    unknownOperation: { kind, refunds: kind === 'REFUND' ? ID : null },
    bank: { status: 'PAID', amount: '1250.00', currency: 'RUB' },
    ours: { status: null, amount: null },
    note: null,
    resolvedBy: null,
    createdAt: AT,
    resolvedAt: null,
  });
  const items = [exceptionOf(1, 'PAYMENT'), exceptionOf(2, 'REFUND'), exceptionOf(3, 'PAYMENT'), exceptionOf(4, 'PAYMENT')];
  const proposal = json({ proposal: { proposalId: ID } }, 202);
  const posted = () => t.received.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
  const first = (items[0]?.exceptionId ?? '').slice(0, 8);

  function known(one: Received) {
    if (one.path.startsWith('/exceptions?')) return json({ items, nextPageToken: null });
    if (one.path === '/payment-points/web')
      return json({ partnerId: 'tea-shop', storeId: 'tea', paymentPointId: 'web', feeBasisPoints: 250 });
    if (one.path === `/payments/${ID}`) return json({ partnerID: 'coffee', merchantOrderId: 'o-7' });
    return json({});
  }

  it('is booked for the partner that the point belongs to, who is named first; above the limit it is proposed', async () => {
    t.answer = (one) => (one.path.endsWith('/book') ? proposal : known(one));
    const page = await pages.open('/exceptions', 'finance');
    await row(page, 'Register of 2026-11-20').first().getByRole('button', { name: 'Book' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Payment point').fill('web');
    await dialog.getByLabel('Order').fill('order-7');
    await dialog.getByLabel('Buyer').fill('anna');
    await dialog.getByLabel('Method').selectOption('SBP_DYNAMIC_QR');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('1,250.00 RUB, less a fee of 2.5 %, will be credited to tea-shop').waitFor();
    expect(posted()).toEqual([]);
    // What was typed is still there.
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await dialog.getByLabel('Order').inputValue()).toBe('order-7');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('button', { name: 'Book 1,250.00 RUB for tea-shop' }).click();
    await dialog.getByText('A second person can confirm it under Proposals').waitFor();
    const order = { paymentPointID: 'web', merchantOrderId: 'order-7', customerID: 'anna', paymentMethod: 'SBP_DYNAMIC_QR' };
    expect(posted()).toEqual([[expect.stringMatching(`^/exceptions/${first}.*/book$`), JSON.stringify({ order })]]);
    await page.context().close();
  });

  it('a refund names whose payment it is booked against; a payment is returned without a partner', async () => {
    t.answer = known;
    const page = await pages.open('/exceptions', 'finance');
    const dialog = page.getByRole('dialog');
    await row(page, 'Register of 2026-11-20').nth(1).getByRole('button', { name: 'Book' }).click();
    expect(await row(page, 'Register of 2026-11-20').nth(1).getByText('Return').count()).toBe(0);
    await dialog.getByText('booked against the payment of coffee').waitFor();
    await dialog.getByRole('button', { name: 'Book refund of 1,250.00 RUB' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Register of 2026-11-20').first().getByRole('button', { name: 'Return' }).click();
    await dialog.getByText('No partner gets the money or is notified').waitFor();
    await dialog.getByRole('button', { name: 'Return 1,250.00 RUB' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(posted().map(([path, body]) => [String(path).split('/').at(-1), body])).toEqual([
      ['book', '{}'],
      ['return', ''],
    ]);
    await page.context().close();
  });

  it('payments are returned one after the other once the filter is typed, each with its own result, until somebody stops it', async () => {
    const answers = [json({}), json({ code: 'OUTCOME_UNKNOWN', error: 'the bank does not answer' }, 502)];
    const held = Promise.withResolvers<undefined>();
    t.answer = async (one) => {
      if (!one.path.endsWith('/return')) return known(one);
      const answer = answers.shift();
      if (answer !== undefined) return answer;
      await held.promise;
      return proposal;
    };
    const page = await pages.open('/exceptions?date=2026-11-20', 'finance');
    await page.getByRole('button', { name: 'Book or return in bulk' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Refunds: 1, 1,250.00 RUB in all').waitFor();
    await dialog.getByRole('button', { name: 'Return payments' }).first().click();
    await dialog.getByText('Payments: 3, 3,750.00 RUB in all').waitFor();
    const start = dialog.getByRole('button', { name: 'Return payments' }).last();
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 2026-11-20 to confirm').fill('2026-11-20');
    await start.click();
    await dialog.getByText('1 returned, 0 proposed, 1 refused, 1 left.').waitFor();
    await dialog.getByText('the bank does not answer').waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    held.resolve(undefined);
    await dialog.getByText('1 returned, 1 proposed, 1 refused, 0 left.').waitFor();
    expect(asked('GET')).toContain('/exceptions?status=OPEN&kind=MISSING_HERE&order=oldest&date=2026-11-20&limit=100');
    expect(posted()).toHaveLength(3);
    await page.context().close();
  });
});

describe('proposals', () => {
  const LATER = '2999-01-01T00:00:00.000Z';
  const proposalOf = (n: number, more: object = {}) => ({
    proposalId: ID.replace('9c', `${String(n)}c`),
    kind: 'RETURN',
    subjectId: ID.replace('b2', `0${String(n)}`),
    asked: { amount: '1250.00' },
    status: 'PROPOSED',
    proposedBy: 'olga@example.com',
    decidedBy: null,
    decidedAt: null,
    expiresAt: LATER,
    createdAt: AT,
    ...more,
  });
  const items = [
    proposalOf(1),
    proposalOf(2),
    proposalOf(3),
    proposalOf(4, { proposedBy: 'finance@example.com' }),
    proposalOf(5, { expiresAt: AT }),
  ];
  const posted = () => asked('POST').map((path) => path.slice(0, 13));

  it('of others are confirmed one after the other once their kind is typed: no own and no expired one, each with its own result, until somebody stops it', async () => {
    const answers = [json({}), json({ code: 'STALE_REVISION', error: 'this proposal is decided, or too old' }, 409)];
    const held = Promise.withResolvers<undefined>();
    t.answer = async (one) => {
      if (one.path.includes('kind=RETURN&order=oldest&limit=100')) {
        // The second page has one more; what is confirmed is on neither any longer.
        if (posted().length > 0) return empty(one);
        return one.path.includes('pageToken=t2')
          ? json({ items: items.slice(2), nextPageToken: null })
          : json({ items: items.slice(0, 2), nextPageToken: 't2' });
      }
      if (!one.path.endsWith('/confirm')) return empty(one);
      const answer = answers.shift();
      if (answer !== undefined) return answer;
      await held.promise;
      return json({});
    };
    const page = await pages.open('/proposals?kind=RETURN', 'finance');
    await page.getByRole('button', { name: 'Confirm in bulk' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Returns: 3, 3,750.00 RUB in all').waitFor();
    await dialog.getByText('Not included: 1 of your own, 1 expired.').waitFor();
    const start = dialog.getByRole('button', { name: 'Confirm 3' });
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel('Type RETURN to confirm').fill('RETURN');
    await start.click();
    await dialog.getByText('1 confirmed, 1 refused, 1 left.').waitFor();
    await dialog.getByText('this proposal is decided, or too old').waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    const listedAgain = page.waitForResponse((response) => /proposals\?.*limit=50$/.test(response.url()));
    held.resolve(undefined);
    await listedAgain;
    await dialog.getByText('2 confirmed, 1 refused, 0 left.').waitFor();
    expect(asked('GET').filter((path) => path.includes('kind=RETURN&order=oldest&limit=100'))).toHaveLength(2);
    expect(posted()).toEqual(['/proposals/1c', '/proposals/2c', '/proposals/3c']);
    await page.context().close();
  });

  it('a booking in bulk names the points whose partners are credited, and nobody is asked without an answer', async () => {
    const order = { paymentPointID: 'web', merchantOrderId: 'o-1' };
    t.answer = (one) => {
      if (one.path.endsWith('/confirm')) return json({ code: 'SERVICE_UNAVAILABLE', error: 'down' }, 503);
      const isBooking = one.path.includes('kind=BOOK');
      return json({
        items: isBooking
          ? [
              proposalOf(1, { kind: 'BOOK', asked: { amount: '7.50', order } }),
              proposalOf(2, { kind: 'BOOK', asked: { amount: '0.50', order } }),
            ]
          : [],
        nextPageToken: null,
      });
    };
    const page = await pages.open('/proposals?kind=BOOK', 'finance');
    await page.getByRole('button', { name: 'Confirm in bulk' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Bookings: 2, 8.00 RUB in all, at the points web.').waitFor();
    await dialog.getByLabel('Type BOOK to confirm').fill('BOOK');
    await dialog.getByRole('button', { name: 'Confirm 2' }).click();
    await dialog.getByText('Stopped: couldn’t go on').waitFor();
    await dialog.getByText('0 confirmed, 0 refused, 2 left.').waitFor();
    expect(posted()).toHaveLength(1);
    await page.context().close();
  });
});

describe('the search', () => {
  it('opens the payment of an order number that looks like an id, and asks nobody whose ids are shorter', async () => {
    const order = 'e2e-08aaaf83-17ce-45bd-ac85-6da1e8246436';
    t.answer = (one) =>
      one.path.startsWith('/payments?')
        ? json({ items: [{ paymentId: ID, status: 'COMPLETED', amount: '10.50', partnerID: 'shop', createdAt: AT }], nextPageToken: null })
        : json(
            {
              error: 'the request is not valid',
              code: 'VALIDATION_FAILED',
              details: [{ field: 'id', message: 'must be at least six digits that an id begins with' }],
            },
            400,
          );
    const page = await pages.open('/account');
    await page.getByRole('searchbox').fill(order);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/payments/${ID}`);
    expect(asked('GET').filter((path) => path.includes('id=') && !path.startsWith('/payments'))).toEqual([]);
    await page.context().close();
  });
});

describe('a saved card', () => {
  const consent = {
    consentId: ID,
    bindingId: ID,
    paymentId: ID,
    partnerID: 'shop',
    customerId: 'anna',
    storeName: 'Tea',
    period: 'P1M',
    capture: 'SERVICE',
    text: 'I agree.\nOnce a month.',
    version: 'v1',
    sha256: 'a'.repeat(64),
    reference: null,
    acceptedAt: AT,
    address: '203.0.113.7',
    userAgent: 'Browser/1',
    recordedAt: AT,
  };
  const card = {
    bindingId: ID,
    partnerID: 'shop',
    customerId: 'anna',
    status: 'ACTIVE',
    consentId: ID,
    period: 'P1M',
    lastChargedAt: AT,
    nextChargeAt: AT,
    createdAt: AT,
    cardMask: '220070******1234',
    openPaymentId: null,
  };

  it('is found by what a caller knows, shows what they agreed to, and is revoked by support', async () => {
    let status = 'ACTIVE';
    t.answer = (one) => {
      if (one.path.startsWith('/bindings?')) return json({ items: [card], nextPageToken: null });
      if (one.path === `/bindings/${ID}/revoke`) status = 'REVOKED';
      if (one.path.startsWith(`/bindings/${ID}`)) return json({ ...card, status, consent });
      return empty(one);
    };
    const page = await pages.open('/saved-cards', 'support');
    await page.getByText('Enter the partner').waitFor();
    await page.getByLabel('Partner').fill('shop');
    await page.getByLabel('Last four digits').fill('1234');
    await page.getByRole('button', { name: 'Find' }).click();
    await row(page, '220070******1234').getByRole('link').click();
    await page.getByText('Once a month.').waitFor();
    expect(asked('GET')).toContain('/bindings?partnerID=shop&cardLastFour=1234&limit=50');
    await page.getByRole('button', { name: 'Revoke saved card' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('shop can no longer charge 220070******1234').waitFor();
    expect(asked('POST')).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke saved card' }).click();
    await page.locator('.state').getByText('Revoked').waitFor();
    expect(asked('POST')).toEqual([`/bindings/${ID}/revoke`]);
    expect(await page.getByRole('button', { name: 'Revoke saved card' }).count()).toBe(0);
    await page.context().close();
  });
});

describe('sessions and sign-ins', () => {
  it('show who is signed in; ending a session asks first, and the sign-ins are below', async () => {
    await t.signIn('support@example.com', 'wrong');
    const finance = await t.cookieOf('finance');
    const page = await pages.open('/sessions');
    await row(page, 'refused').getByText('support@example.com').waitFor();
    await row(page, 'finance (finance@example.com)').getByRole('button', { name: 'End session' }).click();
    expect((await t.call('GET', '/api/session', { cookie: finance })).status).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await row(page, 'finance (finance@example.com)').waitFor({ state: 'detached' });
    expect((await t.call('GET', '/api/session', { cookie: finance })).status).toBe(401);
    await page.context().close();
  });
});

describe('the audit log', () => {
  it('has a row for each action, and a file with the same filters', async () => {
    const cookie = await t.cookieOf('admin');
    await t.call('POST', '/api/gateway/partners/audited/suspend', { cookie, body: {} });
    const page = await pages.open('/audit?subjectId=audited');
    await row(page, 'partners.suspend').getByText('200').waitFor();
    expect(await row(page, 'partners.suspend').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'CSV of this list' }).getAttribute('href')).toBe(
      '/api/audited-actions.csv?subjectId=audited',
    );
    await page.context().close();
  });
});

describe('a time that is none, in an address', () => {
  it.each([
    ['en', 'From, UTC: enter a date such as 2026-11-21 or 2026-11-21 10:30'],
    ['ru', 'С, UTC: введите дату, например 2026-11-21 или 2026-11-21 10:30'],
  ])('is refused in a sentence for people, which names the field as the form does: %s', async (language, sentence) => {
    const page = await pages.open('/account');
    await page.context().addCookies([{ name: 'language', value: language, url: pages.origin }]);
    await page.goto(`${pages.origin}/audit?from=yesterday`);
    expect(await page.getByRole('alert').innerText()).toContain(sentence);
    await page.context().close();
  });
});

describe('a role', () => {
  it('is proposed only after a second question', async () => {
    const page = await pages.open('/operators');
    const select = page.getByLabel('Role of support', { exact: true });
    await select.selectOption('finance');
    const dialog = page.getByRole('dialog', { name: 'Change the role of support?' });
    await dialog.getByText('support now, finance once another administrator confirms it').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect([await select.inputValue(), await t.rows('select from account_changes')]).toEqual(['support', []]);
    await select.selectOption('finance');
    await dialog.getByRole('button', { name: 'Propose role finance' }).click();
    await row(page, 'Role finance').waitFor();
    expect(await t.rows('select login, role from account_changes')).toEqual([{ login: 'support@example.com', role: 'finance' }]);
    await page.context().close();
  });
});

describe('a list', () => {
  it('keeps the columns and the filters that somebody chose, and no buyer', async () => {
    t.answer = ({ path }) =>
      path.startsWith('/payments?')
        ? json({
            items: [
              {
                paymentId: ID,
                status: 'COMPLETED',
                failureCode: null,
                amount: '10.50',
                method: 'CARD',
                partnerID: 'shop',
                merchantOrderId: 'o-1',
                createdAt: AT,
              },
            ],
            nextPageToken: null,
          })
        : json({ items: [], nextPageToken: null });
    const page = await pages.open('/payments?status=COMPLETED&id=anna', 'operator');
    await page.getByText('Columns').click();
    await page.getByRole('checkbox', { name: 'Method', exact: true }).uncheck();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Name of the search').fill('Paid ones');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(`${pages.origin}/payments`);
    await page.getByRole('columnheader', { name: 'Amount, RUB' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Method' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Paid ones' }).click();
    await page.waitForURL('**/payments?status=COMPLETED');
    await page.getByRole('button', { name: 'Remove saved search Paid ones' }).click();
    await page.getByRole('link', { name: 'Paid ones' }).waitFor({ state: 'detached' });
    await page.goto(`${pages.origin}/saved-cards?partnerID=shop&customerId=anna&cardLastFour=1234`);
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Name of the search').fill('Their cards');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Their cards' }).waitFor();
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(kept).toContain('Their cards?partnerID=shop');
    expect(kept).not.toMatch(/anna|1234/);
    await page.context().close();
  });
});

describe('Russian', () => {
  const PAGES = [
    '/payments',
    '/deliveries',
    '/saved-cards',
    '/held-back',
    '/exceptions',
    '/reconciliations',
    '/proposals',
    '/dead-letters',
    '/withdrawals',
    '/fundings',
    '/partners',
    '/routes',
    '/operators',
    '/account',
    '/search?q=none',
    '/nowhere',
  ];
  /** Names of services, formats, addresses, and the test's people: the same in every language. */
  const SAME =
    /^(?:English|USDT|RUB|UTC|CSV|Excel|QR|ID|PIN|SBP|bindings|notifier|withdrawals|none|support|operator|finance|admin|[\w.+-]+@[\w.]+|[\w-]+\.[\w.-]+)$/;

  /** Everything on the page that is said or shown, word by word, as far as it is Latin. */
  const latinWords = (page: Page) =>
    page.evaluate(() => {
      const shown = (node: Element) => [node.getAttribute('aria-label'), node.getAttribute('placeholder')];
      const words = [...document.querySelectorAll('body *:not(style, script, noscript)')].flatMap((node) => [
        ...shown(node),
        ...[...node.childNodes].flatMap(({ nodeType, textContent }) => (nodeType === 3 ? [textContent] : [])),
      ]);
      return words.flatMap((text) => (text ?? '').match(/[\w.@+-]*[A-Za-z]{3,}[\w.@+-]*/g) ?? []);
    });

  it('is chosen in the menu and remembered: no page says anything in English, or is too wide for a phone', async () => {
    t.answer = (one) =>
      one.path === '/held-back-cards'
        ? json({ since: AT, rules: [{ rule: 'bin', cardsMax: 3, windowSeconds: 600 }], items: [] })
        : empty(one);
    const page = await pages.open('/payments');
    await page.getByRole('button', { name: 'Русский' }).click();
    await page.getByRole('heading', { level: 1, name: 'Платежи' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const found: unknown[] = [];
    for (const path of PAGES) {
      await page.goto(`${pages.origin}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByLabel('Загрузка').first().waitFor({ state: 'hidden' });
      const english = (await latinWords(page)).filter((word) => !SAME.test(word.replace(/\.$/, '')));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (english.length > 0 || width > 390) found.push({ path, english, width });
    }
    expect(found).toEqual([]);
    expect(await page.evaluate(() => [document.documentElement.lang, document.title])).toEqual([
      'ru',
      'Страница не найдена · Платёжная консоль',
    ]);
    await page.context().close();
  });

  it('is what a browser that prefers it gets, before anybody has signed in', async () => {
    const context = await pages.browser.newContext({ locale: 'ru-RU' });
    const page = await context.newPage();
    await page.goto(`${pages.origin}/sign-in`);
    await page.getByRole('button', { name: 'Войти', exact: true }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    await context.close();
  });
});
