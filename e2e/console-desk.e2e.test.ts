import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { expectAccessible, openedDialog, signIn, type Desk } from './console.ts';
import { CARDS, openWorld, until, type World } from './world.ts';

/** What operators look at and set: overview, payments and refunds, stores and points, routes, dead letters. */
let world: World;
let browser: Browser;
let office: Desk;
let admin: Desk;
const faults: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  browser = await openBrowser();
  office = await signIn(world, browser, 'oleg', { faults });
  admin = await signIn(world, browser, 'anna', { faults });
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

describe('a refund', () => {
  it('is given back from the payment’s page once, and the list of payments is exported as it is filtered', async () => {
    const payment = await world.create('88.80');
    await world.pay(payment, CARDS.approved);
    const { orderID } = await world.ended(payment.id);
    const { page } = office;
    await office.goto(`/payments?id=${encodeURIComponent(orderID)}&partnerID=${world.partner.partnerID}`, 'Payments');
    await row(page, payment.id).waitFor();
    const href = await page.getByRole('link', { name: 'CSV of this list' }).getAttribute('href');
    const { text } = await office.api('GET', href ?? '');
    const lines = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines.slice(1).map(([id, status]) => [id, status])).toEqual([[payment.id, 'COMPLETED']]);
    expect(lines[1]?.[lines[0]?.indexOf('amount') ?? -1]).toBe('88.80');

    await page.getByRole('link', { name: payment.id }).click();
    await page.getByRole('heading', { level: 1, name: 'Payment', exact: true }).waitFor();
    await admin.goto(`/payments/${payment.id}`, 'Payment');
    await openRefund(admin.page, 'too late');
    await openRefund(page, 'broken cup');
    // More than what is left is not sent.
    await page.getByLabel('Amount, RUB').fill('88.81');
    await page.getByText('The amount is more than what’s left to refund (88.80 RUB)').waitFor();
    await page.getByLabel('Amount, RUB').fill('');
    await page.getByText('88.80 RUB (the full remaining amount)').waitFor();
    await page.getByLabel('Amount, RUB').fill('8.80');
    await page.getByRole('button', { name: 'Refund 8.80 RUB' }).dblclick();
    await row(page, 'broken cup').getByText('Completed').waitFor();
    await expectAccessible(page, 'payment-refunded');
    await admin.page.getByRole('button', { name: 'Refund 8.80 RUB' }).click();
    await admin.page.getByText('Not saved: the payment changed in the meantime').waitFor();
    const rows = await world.query<{ amount: string; operator: string }>(
      `select r.amount_kopecks::text as amount, a.operator from payments.refunds r
       join payments.operator_actions a on a.after ->> 'refundId' = r.refund_id::text where r.payment_id = $1`,
      [payment.id],
    );
    expect(rows).toEqual([{ amount: '880', operator: 'oleg@example.com' }]);
    // What another refund is taking meanwhile is not promised.
    const reserve = (kopecks: string) =>
      world.query('update payments.payments set refund_reserved_kopecks = $2 where payment_id = $1', [payment.id, kopecks]);
    await reserve('3880');
    await page.reload();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('dialog').getByText('50.00 RUB (the full remaining amount)').waitFor();
    await page.getByRole('button', { name: 'Refund 50.00 RUB' }).waitFor();
    await reserve('880');
  });

  async function openRefund(page: Page, reason: string): Promise<void> {
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = await openedDialog(page);
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByLabel('Amount, RUB').fill('8.80');
    await dialog.getByText('8.80 RUB will be refunded to the buyer').waitFor();
  }
});

describe('the overview', () => {
  it('draws what the tables say, keeps its range in the address, and has each chart as a table', async () => {
    const { page } = office;
    await office.goto('/overview', 'Overview');
    await page.getByText('Week').click();
    await page.waitForURL(/range=7d/);
    await page.reload();
    await page.getByRole('region', { name: 'Success share' }).waitFor();
    for (const title of ['Volume', 'Failures by reason', 'Time to pay', 'Callback lag', 'Queue age', 'Ruble books', 'USDT balances'])
      await page.getByRole('region', { name: title }).waitFor();
    await page.getByText('Success share as a table').click();
    const cells = await page
      .getByRole('table', { name: 'Success share, figures' })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((one) => [...one.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
    const shown = cells.reduce((sum, [, created]) => sum + (created ?? 0), 0);
    // Up to the end of the page's range: other tests of the run move the clock.
    const [from = '', to = ''] = ((await page.getByText(/ UTC to /).textContent()) ?? '').split(' to ');
    const [counted] = await world.query<{ count: number }>(
      'select count(*)::int as count from payments.payments where created_at >= $1 and created_at < $2',
      [from, to],
    );
    expect(shown).toBe(counted?.count);
    await page.getByText('Success share as a table').click();
  });
});

describe('stores, points and routes', () => {
  it('a store with a point is made, its point suspended; a stale change is refused and shows the newer state', async () => {
    const partnerID = `shop-${randomUUID().slice(0, 8)}`;
    await office.api('POST', '/api/gateway/partners', { partnerID, name: 'Coffee' });
    const { page } = office;
    // A slow connection: what arrives after the first field was filled must not overwrite it.
    await page.route('**/api/payments/routes', async (route) => {
      await wait(500);
      // The driver lets a request go by itself if the route is removed meanwhile.
      await route.continue().catch(() => undefined);
    });
    await office.goto(`/partners/${partnerID}`, `Partner ${partnerID}`);
    await page.getByRole('button', { name: 'New store' }).click();
    const store = await openedDialog(page);
    await store.getByLabel('Store ID').fill(`store-${partnerID}`);
    await store.getByLabel('Name').fill('Coffee house');
    await store.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'New payment point of Coffee house' }).click();
    const dialog = await openedDialog(page);
    await dialog.getByLabel('Point ID').fill(`point-${partnerID}`);
    await dialog.getByLabel('Name').fill('Cards');
    await dialog.getByLabel('Lowest amount').fill('900.00');
    await dialog.getByLabel('Highest amount').fill('500.00');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Highest amount, RUB: must not be below minAmount').waitFor();
    await expectAccessible(page, 'point-new');
    await dialog.getByLabel('Lowest amount').fill('1.00');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('switch', { name: /may collect card-saving consent/ }).click();
    await until('merchant capture', async () => {
      const [store] = await world.query<{ enabled: boolean }>(
        'select merchant_consent as enabled from payments.stores where partner_id = $1',
        [partnerID],
      );
      return store?.enabled === true ? true : undefined;
    });

    await page.getByRole('link', { name: `point-${partnerID}` }).click();
    await page.getByRole('heading', { level: 1, name: `Payment point point-${partnerID}` }).waitFor();
    await admin.goto(`/points/point-${partnerID}`, `Payment point point-${partnerID}`);
    for (const desk of [admin.page, page]) {
      await desk.getByText('Change the settings').click();
      await desk.getByLabel('State').selectOption('SUSPENDED');
    }
    await page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('2', { exact: true }).first().waitFor();
    await admin.page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Save' }).click();
    await admin.page.getByText('Not saved: somebody else changed it in the meantime').waitFor();
    await page.unroute('**/api/payments/routes');
  });

  it('cards that were held back are seen with the rules, and let through with a reason, which is on record (M8)', async () => {
    const [payment] = await world.query<{ point: string }>('select payment_point_id as point from payments.payment_points limit 1');
    const point = payment?.point ?? '';
    // A range of its own: cards with the same first digits are counted wherever they were tried.
    const hash = randomUUID();
    for (const rule of [null, null, 'bin'])
      await world.query(
        `insert into payments.card_attempts (attempt_id, payment_id, payment_point_id, address_hash, bin_hash, held_back_by)
         values ($1, $2, $3, $4, $4, $5)`,
        [randomUUID(), randomUUID(), point, hash, rule],
      );
    const { page } = office;
    await office.goto('/held-back', 'Cards held back');
    await page.getByRole('list', { name: 'Rules' }).getByText('with the same first eight digits within 10 minutes').waitFor();
    await row(page, point)
      .getByText(/^2 of \d+$/)
      .waitFor();
    await page.getByRole('button', { name: `Let through at ${point}` }).click();
    await (await openedDialog(page)).getByLabel('Why this is not card testing').fill('a fair, one router');
    await page.getByRole('dialog').getByRole('button', { name: 'Let through' }).click();
    await row(page, point)
      .getByText(/^0 of \d+$/)
      .waitFor();
    const [told] = await world.query<{ operator: string; after: unknown }>(
      `select operator, after from payments.operator_actions where action = 'cards.let-through' and subject_id = $1`,
      [point],
    );
    expect(told).toEqual({ operator: expect.stringContaining('oleg'), after: { rule: 'bin', counting: 0, reason: 'a fair, one router' } });
  });

  it('a route is made and limited', async () => {
    const routeId = `route-${randomUUID().slice(0, 8)}`;
    const { page } = office;
    await office.goto('/routes', 'Routes');
    await page.getByRole('button', { name: 'New route' }).click();
    const fresh = await openedDialog(page);
    await fresh.getByLabel('Route').fill(routeId);
    await fresh.getByLabel('Connector').fill('sandbox-bank');
    await fresh.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: `Limits of ${routeId}` }).click();
    const limits = await openedDialog(page);
    await limits.getByLabel('Highest amount').fill('700.00');
    await limits.getByRole('button', { name: 'Save' }).click();
    await row(page, routeId).getByText('700.00').waitFor();
    await page.getByRole('button', { name: `Suspend ${routeId}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await row(page, routeId).getByText('Suspended').waitFor();
    expect(await row(page, routeId).textContent()).toContain('700.00');
  });
});

describe('dead letters', () => {
  it('are shown, handled again one by one, and all with a count first', async () => {
    const storeId = `store-${randomUUID()}`;
    for (const body of [{ storeId, partnerId: 'p', name: 'Lost' }, { storeId: 7 }])
      await world.query(
        `insert into withdrawals.dead_letters (message_id, type, aggregate_id, occurred_at, body)
         values (gen_random_uuid(), 'store.created', $1, '2026-11-20T10:00:00.000Z', convert_to($2, 'UTF8'))`,
        [storeId, JSON.stringify(body)],
      );
    const { page } = office;
    await office.goto('/dead-letters?service=withdrawals&status=WAITING', 'Dead letters');
    await page
      .getByRole('button', { name: /^Show store.created/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('storeId').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('status').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('will be processed again, oldest first').waitFor();
    const retry = (await openedDialog(page)).getByRole('button', { name: /^Retry/ });
    expect(await retry.isDisabled()).toBe(true);
    await page.getByLabel('Type withdrawals to confirm').fill('withdrawals');
    await retry.click();
    await page
      .getByRole('dialog')
      .getByText(/processed, .* 0 left/)
      .waitFor();
    const stores = await world.query('select from withdrawals.stores where store_id = $1', [storeId]);
    expect(stores).toHaveLength(1);
    await page.keyboard.press('Escape');
    expect(await postedAfterClosing(page)).toBe(1);
    await office.goto('/dead-letters?service=notifier', 'Dead letters');
    await page.getByText('No dead letters match').waitFor();
    await world.query('delete from withdrawals.dead_letters');
  });

  /** How many of two messages are handled again if the dialog is closed during the first. */
  async function postedAfterClosing(page: Page): Promise<number> {
    for (const storeId of [randomUUID(), randomUUID()])
      await world.query(
        `insert into withdrawals.dead_letters (message_id, type, aggregate_id, occurred_at, body)
         values (gen_random_uuid(), 'store.created', $1, '2026-11-20T10:00:00.000Z', convert_to('{}', 'UTF8'))`,
        [storeId],
      );
    let posted = 0;
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/redrive', async (route) => {
      posted += 1;
      await isReleased;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page.getByLabel('Type withdrawals to confirm').fill('withdrawals');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Retry/ })
      .click();
    await until('the first message', () => (posted === 1 ? true : undefined));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const answered = page.waitForResponse('**/redrive');
    // The list is read again when the run has ended.
    const listed = page.waitForResponse(/dead-letters\?/);
    release();
    await Promise.all([answered, listed]);
    await page.unroute('**/redrive');
    return posted;
  }
});

describe('the search', () => {
  it('takes no card number: neither into an address nor to a service', async () => {
    const { page } = office;
    await office.goto('/overview', 'Overview');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('searchbox', { name: 'Find by ID' }).fill('4111 1111 1111 1111');
    await page.keyboard.press('Enter');
    await page.getByText('Not a card number: use its last four digits, an amount and a day').waitFor();
    expect(new URL(page.url()).pathname).toBe('/overview');
    await expectAccessible(page, 'search-refused');
    await office.goto('/search?q=4111111111111111', 'Search');
    await page.getByText('Nothing has this ID').waitFor();
    expect(asked.filter((url) => /\/api\/.*4111/.test(url))).toEqual([]);
  });
});

describe('the pages', () => {
  it('broke no rule of their own content security policy, and threw nothing', () => {
    expect(faults).toEqual([]);
  });
});
