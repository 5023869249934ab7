import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from '@jest/globals';
import type { DemoOperator } from '../tools/system/state.ts';
import { findingsOf, keepScreenshot, SCREENS, visit } from './browser.ts';
import type { World } from './world.ts';

/** A demo operator by the name before the @. */
export function operator(world: World, name: string): DemoOperator {
  const found = world.system.state().operators.find(({ login }) => login.startsWith(`${name}@`));
  if (found === undefined) throw new Error(`there is no operator ${name}`);
  return found;
}

/** An operator in a browser of their own. */
export type Desk = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly login: string;
  /** Opens a page of the console, as a link does, without loading the document again, and waits until it is shown. */
  goto(path: string, title: string): Promise<void>;
  /** The console API's answer to this operator. */
  api(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
};

/**
 * Signs in on the page, as people do. Whatever the browser logs as an error, including refused styles and scripts, is
 * added to `faults`.
 */
export async function signIn(
  world: World,
  browser: Browser,
  who: string | Pick<DemoOperator, 'login' | 'password'>,
  { path = '/account', screen = 'desk', faults = [] }: { path?: string; screen?: 'desk' | 'phone'; faults?: string[] } = {},
): Promise<Desk> {
  const { consoleUrl } = world.system.addresses;
  const { login, password } = typeof who === 'string' ? operator(world, who) : who;
  const context = await visit(browser, { screen, language: 'en', javaScript: true });
  // All tests sign in from one address, more often than people may.
  await world.query('delete from console.rate_limits');
  const page = await context.newPage();
  page.on('console', (message) => {
    // The browser writes a line for each error response; the pages show those.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of')) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${consoleUrl}${path}`);
  await page.getByLabel('Login').fill(login);
  await page.locator('input[name="password"]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return {
    page,
    context,
    login,
    async goto(to, title) {
      // By way of another page, so that nothing is left of this one.
      for (const at of ['/nowhere', to])
        await page.evaluate((path) => {
          history.pushState(null, '', path);
        }, at);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    },
    async api(method, to, body) {
      const response = await context.request.fetch(`${consoleUrl}${to}`, {
        method,
        headers: { origin: consoleUrl, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { data: JSON.stringify(body) }),
      });
      return { status: response.status(), text: await response.text() };
    },
  };
}

/**
 * The dialog that opens, once it has taken the focus, which it does a moment after it is drawn. What is typed earlier goes
 * into whichever of its fields takes the focus meanwhile.
 */
export async function openedDialog(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await dialog.locator(':focus').waitFor();
  return dialog;
}

/** Makes a withdrawal request as the demo partner; returns its id. */
export async function givenRequest(world: World, amountUsdt: string): Promise<string> {
  const { storeID: storeId, beneficiaryRef } = world.partner;
  const answer = await world.client.request({
    method: 'POST',
    target: '/api/withdrawal-requests',
    body: Buffer.from(JSON.stringify({ storeId, beneficiaryRef, amountUsdt })),
    idempotencyKey: randomUUID(),
  });
  const { withdrawalRequestId } = JSON.parse(answer.body.toString('utf8')) as { withdrawalRequestId: string };
  return withdrawalRequestId;
}

/** Whether nothing is wider than the window, once charts have measured themselves. Otherwise it would be cut off. */
function fits(page: Page): Promise<boolean> {
  const isNarrow = () => document.documentElement.scrollWidth <= window.innerWidth;
  return page.waitForFunction(isNarrow, undefined, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

/** Expects that nothing is wider than the narrowest phone, nor than a phone whose text is doubled. */
export async function expectReflow(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  const wide: string[] = [];
  await page.setViewportSize({ width: 320, height: 800 });
  if (!(await fits(page))) wide.push('320 pixels');
  await page.setViewportSize(SCREENS.phone);
  const setFontSize = (fontSize: string) => page.evaluate(`document.documentElement.style.fontSize = '${fontSize}'`);
  await setFontSize('200%');
  if (!(await fits(page))) wide.push('doubled text');
  await setFontSize('');
  if (size !== null) await page.setViewportSize(size);
  expect({ name, wide }).toEqual({ name, wide: [] });
}

/** The page's script learns about the colour scheme a moment after the styles. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/**
 * Expects that axe finds nothing on a screen in light and dark mode, and that nothing is wider than a phone. Keeps
 * screenshots of all three (`keepScreenshot`).
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // A dialog is as large as the visible part; without one, the whole page.
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  if (fullPage) await page.evaluate('window.scrollTo(0, 0)');
  const keep = (variant: string) => keepScreenshot(page, `console-${name}${variant}`, { fullPage });
  await keep('');
  const findings = await findingsOf(page);
  await showIn(page, 'dark');
  await keep('-dark');
  findings.push(...(await findingsOf(page, ['color-contrast'])));
  await showIn(page, 'light');
  const size = page.viewportSize();
  await page.setViewportSize(SCREENS.phone);
  await keep('-phone');
  const isNarrow = await fits(page);
  if (size !== null) await page.setViewportSize(size);
  expect({ name, findings, isNarrow }).toEqual({ name, findings: [], isNarrow: true });
}
