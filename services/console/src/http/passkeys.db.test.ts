import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { TestConsole } from '../../test/app.ts';
import { startTestPages, type TestPages } from '../../test/pages.ts';
import { obtainBundle } from '../bundle/bundle.ts';

/** Passkeys as people use them: the real pages in a real browser with its virtual authenticator. */
let pages: TestPages;
let t: TestConsole;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  pages = await startTestPages(await obtainBundle('console'), { secondFactor: 'required' });
  ({ t, browser, origin } = pages);
});
beforeEach(() => t.rows('delete from rate_limits'));
afterAll(() => pages.close());

const LOGIN = 'finance@example.com';
const SCREENSHOTS = new URL('../../../../artifacts/screenshots/', import.meta.url).pathname;

/** A browser with a device that stores passkeys, and whose owner passes user verification or does not. */
async function openPage(): Promise<{ page: Page; device: CDPSession; authenticatorId: string }> {
  const page = await (await browser.newContext()).newPage();
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, device, authenticatorId };
}

const usePasskey = (page: Page) => page.getByRole('button', { name: 'Use a passkey' }).click();
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click();
const lastRow = async () => (await t.rows('select operator, action, status, after from audit order by position desc limit 1'))[0];

describe('passkeys (M3)', () => {
  it('is added on the page, and signs in without password and code, also while the account is locked (M3)', async () => {
    const { page, device, authenticatorId } = await openPage();
    await page.goto(`${origin}/account`);
    await page.getByLabel('Login').fill(LOGIN);
    await page.locator('input[name="password"]').fill(t.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('on one device').waitFor();
    await mkdir(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: `${SCREENSHOTS}console-passkeys.png`, fullPage: true });
    expect(await lastRow()).toMatchObject({ operator: LOGIN, action: 'factor.add-passkey', status: 200 });

    await signOut(page);
    for (let index = 0; index < 6; index += 1) await t.signIn(LOGIN, 'not the password');
    expect((await t.signIn(LOGIN)).status).toBe(429);
    await usePasskey(page);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await lastRow()).toMatchObject({
      operator: LOGIN,
      action: 'session.sign-in',
      status: 200,
      after: expect.objectContaining({ factor: 'passkey' }),
    });

    // A device without user verification is a single factor, and is refused.
    await signOut(page);
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await usePasskey(page);
    await page.getByRole('alert', { name: 'Not signed in' }).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}console-passkey-refused.png` });

    // Even if the page does not insist: the signed data says that nobody was verified.
    const { status, body } = await page.evaluate<{ status: number; body: { code: string } }>(async () => {
      const options: unknown = await (await fetch('/api/auth/passkey/generate-authenticate-options')).json();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
        ...(options as PublicKeyCredentialRequestOptionsJSON),
        userVerification: 'discouraged',
      });
      const credential = await navigator.credentials.get({ publicKey });
      const response = credential instanceof PublicKeyCredential ? credential.toJSON() : {};
      const answer = await fetch('/api/auth/passkey/verify-authentication', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ response }),
      });
      return { status: answer.status, body: (await answer.json()) as { code: string } };
    });
    expect([status, body.code]).toEqual([401, 'USER_NOT_VERIFIED']);
    await page.context().close();
  });

  it('403: M3: a session of more than ten minutes adds none', async () => {
    const { page } = await openPage();
    await page.goto(`${origin}/account`);
    await page.getByLabel('Login').fill('operator@example.com');
    await page.locator('input[name="password"]').fill(t.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const add = page.getByRole('button', { name: 'Add a passkey' });
    await add.waitFor();
    await t.rows(`update sessions set created_at = now() - interval '10 minutes 1 second'`);
    await add.click();
    await page.getByRole('alert', { name: 'Couldn’t save' }).waitFor();
    expect(await t.rows(`select 1 from passkeys join operators on operators.id = operator_id where email like 'operator@%'`)).toEqual([]);
    await page.context().close();
  });
});
