import type { Page } from 'playwright-core';
import { SAMPLE_ID } from './sample-answers.ts';
import type { Shown } from './shown.ts';

const press = (name: string) => (page: Page) => page.locator('main').getByRole('button', { name }).first().click();

const LISTS = ['payments', 'callbacks', 'withdrawals', 'registers', 'integration', 'keys', 'requests', 'test-cards', 'test-clock'];

/** The partner portal's pages in their states. */
export const PORTAL_SHOWN: readonly Shown[] = [
  ...LISTS.map((name) => ({ name, path: `/${name}` })),
  { name: 'payments-qr', path: '/payments?show=qr' },
  { name: 'payment', path: `/payments/card/${SAMPLE_ID}` },
  { name: 'payment-qr', path: `/payments/qr/${SAMPLE_ID}` },
  { name: 'payment-refund', path: `/payments/card/${SAMPLE_ID}`, act: press('Refund') },
  { name: 'callback', path: `/callbacks/${SAMPLE_ID}` },
  { name: 'callbacks-test', path: '/callbacks', act: press('Send a test callback') },
  { name: 'withdrawals-new', path: '/withdrawals', act: press('Request a withdrawal') },
  { name: 'withdrawals-cancel', path: '/withdrawals', act: press('Cancel') },
  { name: 'registers-usdt', path: '/registers?currency=USDT' },
  { name: 'integration-secret', path: '/integration', act: press('Show the secret') },
  { name: 'keys-revoke', path: '/keys', act: press('Revoke') },
  {
    name: 'keys-private',
    path: '/keys',
    act: async (page) => {
      await page.getByLabel('OpenSSH public key').fill('-----BEGIN PRIVATE KEY-----');
      await press('Register key')(page);
      await page.getByText('This is a private key, not the public one').waitFor();
    },
  },
  {
    name: 'menu',
    path: '/payments',
    act: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Menu' }).click();
    },
  },
  { name: 'not-found', path: '/nowhere' },
  { name: 'sign-in', path: '/sign-in', isForStrangers: true },
  { name: 'sign-in-ended', path: '/sign-in?ended=yes', isForStrangers: true },
  {
    name: 'sign-in-own-machine',
    path: '/sign-in',
    isForStrangers: true,
    act: (page) => page.locator('summary').click(),
  },
];
