import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { privateKeyOf, signText } from '../packages/signing/src/ed25519.ts';
import { secretOfText } from '../packages/signing/src/key-text.ts';
import type { DemoPartner } from '../tools/system/state.ts';
import { openBrowser, SCREENS, visit } from './browser.ts';
import { expectAccessible, expectReflow } from './console.ts';
import { signInToPortal } from './portal-session.ts';
import { CARDS, openWorld, until, type World } from './world.ts';

/** The partner portal, as a partner uses it, on the running system. */
let world: World;
let browser: Browser;
let portalUrl: string;
/** A completed payment of the demo partner, and its event. */
let payment: { readonly id: string; readonly orderID: string; readonly eventId: string };

beforeAll(async () => {
  world = await openWorld();
  ({ portalUrl } = world.system.addresses);
  browser = await openBrowser();
  const created = await world.create('1250.50');
  await world.pay(created, CARDS.approved);
  const { id, orderID } = await world.ended(created.id);
  payment = { id, orderID, eventId: (await world.told(id)).eventId };
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const signedIn = (partner: DemoPartner) => signInToPortal(portalUrl, partner);

describe('a partner in the portal', () => {
  it('signs in with the key file, finds a payment, refunds it once the key has signed again, and resends its callback (N5)', async () => {
    const context = await visit(browser, { screen: 'desk', language: 'en', javaScript: true });
    const page = await context.newPage();
    const faults: string[] = [];
    const sent: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.goto(`${portalUrl}/payments`);
    await page.getByLabel('Partner ID').fill(world.partner.partnerID);
    const key = Buffer.from(world.system.state().partner.privateKeyPem);
    await page.getByLabel('Private key file').setInputFiles({ name: 'key.pem', mimeType: 'text/plain', buffer: key });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await find(page);
    expect(sent.filter((body) => body.includes(key.toString().split('\n')[1] ?? '-'))).toEqual([]);
    await page.getByRole('link', { name: payment.id }).click();
    await page.getByText('1,250.50 RUB').first().waitFor();
    await page.getByText(/delivered \(200\) on attempt 1/i).waitFor();
    await refund(page);
    await resend(page);
    expect(faults).toEqual([]);
    await context.close();
  });

  /** By its order: tests that moved the clock have left payments with later dates. */
  async function find(page: Page): Promise<void> {
    await page.getByLabel('Order', { exact: true }).fill(payment.orderID);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: payment.id }).waitFor();
  }

  async function refund(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByLabel('Amount, RUB').fill('250.50');
    await page.getByRole('button', { name: 'Refund 250.50 RUB' }).waitFor();
    // The sign-in is six minutes old.
    await world.query(`update gateway.portal_sessions set started_at = started_at - interval '6 minutes'`);
    await page.getByRole('button', { name: 'Refund 250.50 RUB' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByText('Nothing has been done yet.').waitFor();
    await expectAccessible(page, 'portal-sign-in-again');
    const key = Buffer.from(world.system.state().partner.privateKeyPem);
    await again.getByLabel('Private key file').setInputFiles({ name: 'key.pem', mimeType: 'text/plain', buffer: key });
    // It is the person who takes time here, not the portal.
    expect(await page.getByText('No answer from').count()).toBe(0);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('A refund of 250.50 RUB was requested').waitFor();
  }

  /** As `pay portal sign` does it. */
  async function signInOnOwnMachine(page: Page): Promise<void> {
    const { partnerID, privateKeyPem } = world.system.state().partner;
    await page.goto(`${portalUrl}/sign-in`);
    await page.getByLabel('Partner ID').fill(partnerID);
    await page.getByText('Sign on your own machine instead').click();
    await page.getByRole('button', { name: 'Get the text to sign' }).click();
    const command = await page.getByText(/^pay portal sign /).textContent();
    // The one state that the album of pictures does not have.
    await expectAccessible(page, 'portal-own-machine');
    await expectReflow(page, 'portal-own-machine');
    const text = (command ?? '').replace(/^pay portal sign /, '');
    await page.getByLabel('Signature').fill(signText(privateKeyOf(secretOfText(privateKeyPem)), text));
    await page.getByRole('button', { name: 'Sign in' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  }

  it('signs in with a signature from its own machine, sees its balance, registers, addresses, keys, test cards and the test clock, and asks for a payout', async () => {
    const context = await visit(browser, { screen: 'desk', language: 'en', javaScript: true });
    const page = await context.newPage();
    await signInOnOwnMachine(page);
    const show = async (path: string, title: string, text: string) => {
      await page.goto(`${portalUrl}${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText(text).first().waitFor();
    };
    for (const [path, title, text] of [
      ['/registers', 'Registers', 'Balance'],
      ['/integration', 'Integration', 'Save addresses'],
      ['/keys', 'Keys', 'You signed in with it'],
      ['/requests', 'Requests', '/api/card'],
      ['/test-cards', 'Test cards', '4111 1111 1111 1111'],
      ['/test-clock', 'Test clock', 'npm run pay -- sandbox clock advance P1M'],
    ] as const) {
      await show(path, title, text);
    }
    await show('/withdrawals', 'Withdrawals', 'USDT');
    await page.getByRole('button', { name: 'Request a withdrawal' }).click();
    await page.getByLabel('Amount, USDT').fill('1.5');
    await page.getByLabel('Recipient').fill(world.partner.beneficiaryRef);
    await page.getByRole('button', { name: 'Request 1.5 USDT' }).click();
    await page.getByRole('cell', { name: '1.500000' }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/withdrawals');
    await context.close();
  });

  it('acts as nobody else when another partner signs in behind it, and shows nothing of the one before', async () => {
    const { other } = world.system.state();
    const context = await visit(browser, { screen: 'desk', language: 'en', javaScript: true });
    const page = await context.newPage();
    await signInOnOwnMachine(page);
    await find(page);
    await page.getByRole('link', { name: 'Integration' }).click();
    await page.getByLabel('Callback address').waitFor();
    const addressesOf = async (one: DemoPartner): Promise<unknown> =>
      (await fetch(`${portalUrl}/api/partner/api/integration/endpoints`, { headers: await signedIn(one) })).json();
    const before = await addressesOf(other);
    const [name = '', value = ''] = (await signedIn(other)).cookie.split('=');
    await context.addCookies([{ name, value, url: portalUrl }]);
    await page.getByLabel('Callback address').fill('https://typed-for-the-first.example/callbacks');
    const [saved] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PUT'),
      page.getByRole('button', { name: 'Save addresses' }).click(),
    ]);
    expect(saved.status()).toBe(409);
    await page.getByRole('banner').getByText('Other partner').waitFor();
    expect(await addressesOf(other)).toEqual(before);
    expect(await page.getByLabel('Callback address').inputValue()).not.toContain('typed-for-the-first');
    // What the first partner's pages had read is not drawn while the second one's is on its way.
    await page.route('**/api/partner/api/card?*', () => undefined);
    await page.getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    expect(await page.getByText(payment.id).count()).toBe(0);
    expect(await page.getByText('Demo partner').count()).toBe(0);
    await context.close();
  });

  async function resend(page: Page): Promise<void> {
    const before = world.receiver.arrivals.filter(({ eventId }) => eventId === payment.eventId).length;
    // The walk goes on at the width of a phone, by its menu.
    const size = page.viewportSize();
    await page.setViewportSize(SCREENS.phone);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Callbacks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor();
    await page.getByLabel('Payment, binding or payout').fill(payment.id);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: payment.eventId }).waitFor();
    if (size !== null) await page.setViewportSize(size);
    await page.getByRole('link', { name: payment.eventId }).click();
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('cell', { name: 'resend' }).first().waitFor();
    await until('the callback to arrive again', () =>
      world.receiver.arrivals.filter(({ eventId }) => eventId === payment.eventId).length > before ? true : undefined,
    );
  }
});
