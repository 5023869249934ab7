import type { Page } from 'playwright-core';
import { SAMPLE_ID } from './sample-answers.ts';

/** A page of the console in one of its states. */
export type Shown = {
  readonly name: string;
  readonly path: string;
  /** Seen by somebody who is not signed in. */
  readonly isForStrangers?: boolean;
  /** Opens a dialog or fills something in. */
  readonly act?: (page: Page) => Promise<void>;
};

/** The nth button of the page's own part: by its place, because its text is different in each language. */
const press = (nth: number) => (page: Page) => page.locator('main .mantine-Button-root:not(a)').nth(nth).click();
const pressLast = (page: Page) => page.locator('main .mantine-Button-root:not(a)').last().click();
/** The first button of the first row of the first list. */
const pressInRow =
  (nth = 0) =>
  (page: Page) =>
    page.locator('main tbody tr .mantine-Button-root').nth(nth).click();
const pressInDialog = (page: Page) => page.locator('[role=dialog] .mantine-Button-root').last().click();

const LISTS = [
  'payments',
  'deliveries',
  'held-back',
  'exceptions',
  'reconciliations',
  'proposals',
  'dead-letters',
  'withdrawals',
  'fundings',
  'partners',
  'routes',
  'operators',
  'sessions',
  'audit',
  'account',
];

export const SHOWN: readonly Shown[] = [
  { name: 'overview', path: '/overview?from=2026-11-21T10:00:00.000Z&to=2026-11-21T12:00:00.000Z' },
  ...LISTS.map((name) => ({ name, path: `/${name}` })),
  { name: 'payments-filtered', path: '/payments?status=COMPLETED&partnerID=tea-shop' },
  { name: 'payment', path: `/payments/${SAMPLE_ID}` },
  { name: 'payment-refund', path: `/payments/${SAMPLE_ID}`, act: press(0) },
  { name: 'payments-none', path: '/payments?partnerID=nobody' },
  { name: 'deliveries-none', path: '/deliveries?partnerId=nobody' },
  { name: 'delivery', path: `/deliveries/${SAMPLE_ID}` },
  { name: 'withdrawal', path: `/withdrawals/${SAMPLE_ID}` },
  { name: 'withdrawal-reject', path: `/withdrawals/${SAMPLE_ID}`, act: press(1) },
  { name: 'withdrawal-transfer', path: `/withdrawals/${SAMPLE_ID.replace('9c', '8c')}`, act: press(0) },
  { name: 'saved-cards', path: '/saved-cards?partnerID=tea-shop' },
  { name: 'saved-cards-none-asked', path: '/saved-cards' },
  { name: 'saved-card', path: `/saved-cards/${SAMPLE_ID}` },
  { name: 'saved-card-revoke', path: `/saved-cards/${SAMPLE_ID}`, act: press(0) },
  { name: 'reconciliation', path: '/reconciliations/sandbox-bank/2026-11-20' },
  { name: 'partner', path: '/partners/tea-shop' },
  { name: 'point', path: '/points/web' },
  { name: 'search', path: '/search?q=9c879efc' },
  { name: 'exceptions-resolve', path: '/exceptions', act: pressInRow() },
  {
    name: 'exceptions-book',
    path: '/exceptions',
    act: (page) => page.locator('main tbody tr').nth(1).locator('.mantine-Button-root').first().click(),
  },
  {
    name: 'exceptions-book-confirm',
    path: '/exceptions',
    act: async (page) => {
      await page.locator('main tbody tr').nth(1).locator('.mantine-Button-root').first().click();
      await page.locator('[name=paymentPointID]').fill('web');
      await page.locator('[name=merchantOrderId]').fill('order-1043');
      await page.locator('[name=customerID]').fill('anna');
      await pressInDialog(page);
    },
  },
  {
    name: 'exceptions-return',
    path: '/exceptions',
    act: (page) => page.locator('main tbody tr').nth(1).locator('.mantine-Button-root').nth(1).click(),
  },
  {
    name: 'exceptions-book-refund',
    path: '/exceptions',
    act: (page) => page.locator('main tbody tr').nth(2).locator('.mantine-Button-root').first().click(),
  },
  { name: 'exceptions-in-bulk', path: '/exceptions', act: press(0) },
  { name: 'proposals-confirm', path: '/proposals', act: pressInRow() },
  { name: 'proposals-in-bulk', path: '/proposals?kind=REFUND', act: press(0) },
  { name: 'held-back-let-through', path: '/held-back', act: pressInRow() },
  { name: 'deliveries-in-bulk', path: '/deliveries', act: press(0) },
  { name: 'dead-letter', path: '/dead-letters', act: pressInRow() },
  { name: 'dead-letters-retry', path: '/dead-letters', act: press(0) },
  { name: 'fundings-confirm', path: '/fundings', act: pressLast },
  { name: 'sessions-end', path: '/sessions', act: pressInRow() },
  { name: 'partners-new', path: '/partners', act: press(0) },
  { name: 'routes-new', path: '/routes', act: press(0) },
  { name: 'operators-new', path: '/operators', act: press(0) },
  { name: 'not-found', path: '/nowhere' },
  { name: 'sign-in', path: '/sign-in', isForStrangers: true },
  { name: 'sign-in-ended', path: '/sign-in?ended=yes', isForStrangers: true },
];
