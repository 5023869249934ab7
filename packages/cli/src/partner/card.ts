import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { findTestCard, TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';
import type { Client } from '@pay/sdk/client.ts';
import {
  CHARGE_PERIODS,
  FAILED_STATUSES,
  type CardListOptions,
  type CardPayment,
  type ChargePeriod,
  type NewCardPayment,
  type PaymentStatus,
} from '@pay/sdk/types.ts';
import { checkLinkOf, createBrowser, hasControl, titleOf, type Browser, type Page } from '../browser.ts';
import { contextOf, withClient } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { facts, table, withRubles } from '../output.ts';
import type { Profile } from '../profile.ts';
import { receiptOf } from '../receipt-file.ts';
import { paymentListQuery, type PaymentListOptions } from './list-options.ts';

type CreateOptions = {
  amount: string;
  order?: string;
  customer: string;
  description: string;
  point?: string;
  returnUrl?: string;
  save?: ChargePeriod;
  receipt?: string;
  idempotencyKey?: string;
};

type ListOptions = PaymentListOptions & { order?: string; customer?: string; point?: string };

type PayOptions = {
  readonly card: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly agree?: true;
  readonly threeDs: string;
  readonly timeout: string;
};

/** `pay card`: create, read and pay card payments. */
export function addCardCommands(program: Command): void {
  const card = program.command('card').description('create, read and pay card payments');
  card
    .command('create')
    .description('create a card payment and print its paymentUrl')
    .requiredOption('--amount <rubles>', 'such as 10.50; sent as exactly this number')
    .option('--order <orderID>', 'default: a new one')
    .option('--customer <customerID>', 'your buyer', 'cli-buyer')
    .option('--description <text>', 'payment purpose', 'A payment from the command line')
    .option('--point <paymentPointID>', 'default: the card point of the profile')
    .option('--return-url <url>', 'where the buyer returns to')
    .addOption(new Option('--save <period>', 'save the card if the buyer agrees; charge it at most this often').choices(CHARGE_PERIODS))
    .option('--receipt <file>', 'JSON of the receipt of 54-FZ: docs/partners/receipts.md')
    .option('--idempotency-key <key>', 'default: a new one')
    .action(async (options: CreateOptions, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      const { idempotencyKey } = options;
      const created = await withClient(profile, async (client) =>
        withRubles(await client.createCardPayment(newPayment(options, profile), idempotencyKey === undefined ? {} : { idempotencyKey })),
      );
      output.result(facts(created), created);
    });
  card
    .command('get <id>')
    .description('show a payment')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const payment = await withClient(profile(), async (client) => withRubles(await client.readCardPayment(id)));
      output.result(facts(payment), payment);
    });
  card
    .command('cancel <id>')
    .description('cancel an unpaid payment')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const payment = await withClient(profile(), async (client) => withRubles(await client.cancelCardPayment(id)));
      output.result(facts(payment), payment);
    });
  addList(card);
  card
    .command('pay <id-or-paymentUrl>')
    .description('TEST: pay on the hosted payment page, as a browser without JavaScript would')
    .option('--card <number>', 'a test card: `pay sandbox cards` lists them', '4111111111111111')
    .option('--expiry <mm/yy>', 'any future month', '12/34')
    .option('--cvv <digits>', 'any', '123')
    .option('--agree', 'tick the box to save the card; without it, pay once')
    .option('--three-ds <answer>', 'the button to press on the 3-D Secure page: approve or decline', 'approve')
    .option('--timeout <seconds>', 'how long to wait for a final state', '30')
    .action(async (target: string, options: PayOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const result = await payCard(profile(), target, options);
      output.result(facts(result), result);
    });
}

function addList(card: Command): void {
  card
    .command('list')
    .description('list card payments and charges of saved cards, newest first')
    .option('--order <orderID>', 'by order number')
    .option('--customer <customerID>', 'by buyer')
    .option('--point <paymentPointID>', 'by payment point')
    .option('--from <moment>', 'created at this time or later; ISO 8601')
    .option('--to <moment>', 'created before this time; ISO 8601')
    .option('--status <status>', 'such as COMPLETED')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async (options: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const found = await withClient(profile(), (client) => client.listCardPayments(listQuery(options)));
      const page = { ...found, items: found.items.map(withRubles) };
      const rows = page.items.map((item) => [item.id, item.status, item.amount, item.orderID, item.createdAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no card payments' : [...table(rows), ...more], page);
    });
}

function listQuery({ order: orderID, customer: customerID, point: paymentPointID, ...rest }: ListOptions): CardListOptions {
  return {
    ...paymentListQuery(rest),
    ...(orderID === undefined ? {} : { orderID }),
    ...(customerID === undefined ? {} : { customerID }),
    ...(paymentPointID === undefined ? {} : { paymentPointID }),
  };
}

function newPayment(options: CreateOptions, profile: Profile): NewCardPayment {
  const paymentPointID = options.point ?? profile.cardPoint;
  return {
    ...(paymentPointID === undefined ? {} : { paymentPointID }),
    orderID: options.order ?? `cli-${randomUUID()}`,
    amount: options.amount,
    currency: 'RUB',
    description: options.description,
    customerID: options.customer,
    ...(options.returnUrl === undefined ? {} : { returnUrl: options.returnUrl }),
    ...(options.save === undefined ? {} : { savePaymentMethod: true, recurringConsent: { period: options.save } }),
    ...receiptOf(options.receipt),
  };
}

type Paid = { readonly lastPage: string; readonly lastUrl: string } & Partial<CardPayment>;

/** Pays, then waits until the API reports the result. Given a URL instead of an id, only the last page is known. */
export async function payCard(profile: Profile, target: string, options: PayOptions): Promise<Paid> {
  if (findTestCard(options.card) === undefined) {
    throw usage(`only test cards are accepted here: ${TEST_CARDS.map(({ number }) => number).join(', ')}`);
  }
  if (options.threeDs !== 'approve' && options.threeDs !== 'decline') throw usage('--three-ds must be approve or decline');
  const seconds = Number(options.timeout);
  if (!Number.isFinite(seconds) || seconds < 0) throw usage('--timeout must be a number of seconds');
  const isAddress = /^https?:\/\//.test(target);
  return withClient(profile, async (client) => {
    const paymentUrl = isAddress ? target : await formOf(client, target);
    const origins = [new URL(paymentUrl).origin, ...(profile.bankUrl === undefined ? [] : [new URL(profile.bankUrl).origin])];
    const browser = createBrowser(origins);
    const page = await waitAtCheckout(browser, await payAtCheckout(browser, paymentUrl, options), seconds);
    const last = { lastPage: titleOf(page), lastUrl: page.url };
    if (isAddress) return last;
    return { ...last, ...(await finalState(client, target, seconds)) };
  });
}

async function formOf(client: Client, id: string): Promise<string> {
  const { paymentUrl, status } = await client.readCardPayment(id);
  if (paymentUrl === undefined) throw new CliFault(EXIT.refused, `payment ${id} is ${status} and has no payment page`);
  return paymentUrl;
}

async function payAtCheckout(browser: Browser, paymentUrl: string, options: PayOptions): Promise<Page> {
  const form = await answerConsent(browser, await browser.open(paymentUrl), options.agree === true);
  if (!hasControl(form, 'cc-number')) throw new CliFault(EXIT.refused, `the payment page says: ${titleOf(form)}`);
  const page = await browser.submit(form, 'cc-number', ({ autocomplete }) => {
    if (autocomplete === 'cc-number') return options.card;
    if (autocomplete === 'cc-exp') return options.expiry;
    return autocomplete === 'cc-csc' ? options.cvv : undefined;
  });
  if (hasControl(page, 'cc-number')) throw new CliFault(EXIT.refused, `the payment page did not accept the card: ${titleOf(page)}`);
  if (!hasControl(page, 'decision')) return page;
  return browser.submit(page, 'decision', ({ value }) => (value === options.threeDs ? value : undefined));
}

/** Passes the page that asks for consent to save the card, if there is one, with its box ticked or not. */
async function answerConsent(browser: Browser, page: Page, agree: boolean): Promise<Page> {
  if (!hasControl(page, 'agree')) return page;
  return browser.submit(page, 'agree', ({ name, value }) => (name === 'agree' && agree ? value : undefined));
}

/** The payment page asks the bank at most once per second. */
const CHECK_PAUSE_MS = 1_100;

/** Follows the waiting page's link until another page appears, as a buyer without JavaScript would. */
async function waitAtCheckout(browser: Browser, first: Page, seconds: number): Promise<Page> {
  const deadline = performance.now() + seconds * 1000;
  let page = first;
  for (let link = checkLinkOf(page); link !== undefined && performance.now() < deadline; link = checkLinkOf(page)) {
    await wait(CHECK_PAUSE_MS);
    page = await browser.open(link);
  }
  return page;
}

const FINAL = new Set<PaymentStatus>(['COMPLETED', 'REFUNDED', ...FAILED_STATUSES]);
const POLL_MS = 250;

async function finalState(client: Client, id: string, seconds: number): Promise<CardPayment> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const payment = await client.readCardPayment(id);
    if (FINAL.has(payment.status)) return withRubles(payment);
    if (performance.now() > deadline) {
      throw new CliFault(EXIT.timeout, `payment ${id} is still ${payment.status}`, withRubles(payment));
    }
    await wait(POLL_MS);
  }
}
