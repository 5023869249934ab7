import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Role } from '@pay/shared/operators/roles.ts';
import type { Received, TestConsole } from '../../test/app.ts';
import { startTestPages, type TestPages } from '../../test/pages.ts';
import { SAMPLE_ID, sampleAnswer } from '../../test/sample-answers.ts';
import { obtainBundle } from '../bundle/bundle.ts';

/** The five tasks of every day: with the fewest clicks of a mouse, which are counted, and with the keyboard alone. */
let pages: TestPages;
let t: TestConsole;
let withdrawal: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  pages = await startTestPages(await obtainBundle('console'));
  ({ t } = pages);
});
beforeEach(() => {
  t.received.length = 0;
  withdrawal = { ...json(sampleAnswer({ service: 'withdrawals', path: `/withdrawals/${SAMPLE_ID}` }).text) };
  t.answer = answered;
});
afterAll(() => pages.close());

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const said = (body: unknown) => ({ status: 200, text: JSON.stringify(body) });
const NEXT: Readonly<Record<string, object>> = {
  take: { status: 'IN_REVIEW', takenBy: 'finance@example.com', takenUntil: '2100-01-01T00:00:00.000Z', revision: 2 },
  approve: { status: 'APPROVED', takenBy: null, takenUntil: null, reviewedBy: 'finance@example.com', revision: 3 },
  complete: { status: 'COMPLETED', completedBy: 'admin@example.com', revision: 4 },
};

/** The usual answers, with one withdrawal that the actions move on, and one payment that has the order. */
function answered(one: Received) {
  const { path } = one;
  if (path.startsWith('/events?id=') || path.startsWith('/withdrawals?id=')) return said({ items: [], nextPageToken: null });
  const act = /^\/withdrawals\/[^/]+\/(\w+)$/.exec(path)?.[1];
  if (act !== undefined) withdrawal = { ...withdrawal, ...NEXT[act] };
  if (act !== undefined || path === `/withdrawals/${SAMPLE_ID}`) return said(withdrawal);
  const status = /^\/withdrawals\?status=(\w+)/.exec(path)?.[1];
  return status === undefined
    ? sampleAnswer(one)
    : said({ items: status === withdrawal['status'] ? [withdrawal] : [], nextPageToken: null });
}

/** Somebody's hands: on the mouse, or on the keyboard alone. */
type Hands = (page: Page) => {
  readonly press: (target: Locator) => Promise<void>;
  readonly search: () => Promise<void>;
};

const mouse: Hands = (page) => ({
  press: (target) => target.click(),
  search: () => page.getByRole('searchbox').click(),
});

/** More stops than any page has. */
const STOPS_MAX = 150;
const keyboard: Hands = (page) => ({
  async press(target) {
    await target.waitFor();
    const isFocused = () => target.evaluate((node) => node === document.activeElement);
    const isTab = (await target.getAttribute('role')) === 'tab';
    for (let stop = 0; !(await isFocused()); stop += 1) {
      if (stop === STOPS_MAX) throw new Error(`no way to ${String(target)} with the keyboard`);
      // Tabs are one stop; the arrows go from one to the next.
      const isOnTabs = isTab && (await page.evaluate(() => document.activeElement?.getAttribute('role') === 'tab'));
      await page.keyboard.press(isOnTabs ? 'ArrowRight' : 'Tab');
    }
    await page.keyboard.press('Enter');
  },
  search: () => page.keyboard.press('/'),
});

/** Opens a page and counts how often the mouse is pressed on it from then on. */
async function start(path: string, role: Role) {
  const page = await pages.open('/account', role);
  await page.addInitScript(() => {
    // Not while capturing: the driver takes back a press that meets something that has just moved, and presses again.
    window.addEventListener('pointerdown', () => {
      sessionStorage.setItem('clicks', `${sessionStorage.getItem('clicks') ?? ''}.`);
    });
  });
  await page.goto(`${pages.origin}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const clicks = () => page.evaluate(() => sessionStorage.getItem('clicks')?.length ?? 0);
  return { page, clicks };
}

const posted = () => t.received.filter(({ method }) => method === 'POST').map(({ path }) => path);
const menu = (page: Page, name: RegExp) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const focusInDialog = (page: Page) => page.getByRole('dialog').locator(':focus').waitFor();

describe.each([
  ['the mouse', mouse, 1],
  ['the keyboard alone', keyboard, 0],
] as const)('with %s', (_name, hands, perClick) => {
  it('an order’s id leads to its payment: one click, and typing', async () => {
    const { page, clicks } = await start('/overview', 'support');
    await hands(page).search();
    await page.keyboard.type('order-1042');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/payments/${SAMPLE_ID}`);
    await page.getByText('What happened').waitFor();
    expect(await clicks()).toBe(perClick);
    await page.context().close();
  });

  it('a payment is refunded in full: two clicks, and the reason', async () => {
    const { page, clicks } = await start(`/payments/${SAMPLE_ID}`, 'operator');
    const { press } = hands(page);
    await press(page.getByRole('button', { name: 'Refund', exact: true }));
    await focusInDialog(page);
    await page.keyboard.type('broken cup');
    await press(inDialog(page, 'Refund 1,250.00 RUB'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(posted()).toEqual([`/payments/${SAMPLE_ID}/refunds`]);
    expect(await clicks()).toBe(2 * perClick);
    await page.context().close();
  });

  it('a callback is sent again from its payment: two clicks', async () => {
    const { page, clicks } = await start(`/payments/${SAMPLE_ID}`, 'support');
    const { press } = hands(page);
    await press(page.getByRole('link', { name: 'payment.completed' }).first());
    const sent = page.waitForResponse('**/resend');
    await press(page.getByRole('button', { name: 'Resend', exact: true }));
    await sent;
    expect(posted()).toEqual([`/events/${SAMPLE_ID}/resend`]);
    expect(await clicks()).toBe(2 * perClick);
    await page.context().close();
  });

  it('a withdrawal is approved by one and paid by another: four clicks each, and the reference', async () => {
    const first = await start('/overview', 'finance');
    const one = hands(first.page);
    await one.press(menu(first.page, /^Withdrawals/));
    await one.press(first.page.getByRole('button', { name: /^Claim/ }));
    await one.press(first.page.getByRole('button', { name: 'Approve', exact: true }));
    await focusInDialog(first.page);
    await one.press(inDialog(first.page, 'Approve'));
    await first.page.locator('dd').getByText('Approved', { exact: true }).waitFor();

    const second = await start('/overview', 'admin');
    const other = hands(second.page);
    await other.press(menu(second.page, /^Withdrawals/));
    await other.press(second.page.getByRole('tab', { name: /^Approved/ }));
    await other.press(second.page.getByRole('link', { name: /^Confirm transfer/ }));
    await focusInDialog(second.page);
    await second.page.keyboard.type('a'.repeat(64));
    await other.press(inDialog(second.page, 'Confirm transfer'));
    await second.page.locator('dd').getByText('Completed', { exact: true }).waitFor();
    expect(posted().map((path) => path.split('/').at(-1))).toEqual(['take', 'approve', 'complete']);
    expect([await first.clicks(), await second.clicks()]).toEqual([4 * perClick, 4 * perClick]);
    for (const { page } of [first, second]) await page.context().close();
  });

  it('yesterday’s payments are a file: two clicks', async () => {
    const { page, clicks } = await start('/overview', 'operator');
    const { press } = hands(page);
    await press(menu(page, /^Payments/));
    const loaded = page.waitForEvent('download');
    await press(page.getByRole('link', { name: 'CSV of yesterday' }));
    const { searchParams } = new URL((await loaded).url());
    const [from = '', to = ''] = ['from', 'to'].map((name) => searchParams.get(name) ?? '');
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
    expect([from, to].map((one) => one.slice(10))).toEqual(['T00:00:00.000Z', 'T00:00:00.000Z']);
    expect(await clicks()).toBe(2 * perClick);
    await page.context().close();
  });
});
