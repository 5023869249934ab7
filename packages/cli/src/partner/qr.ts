import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@pay/sdk/client.ts';
import type { NewQrPayment, QrPayment } from '@pay/sdk/types.ts';
import { createBrowser, hasControl, titleOf } from '../browser.ts';
import { contextOf, withClient } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { facts, table, withRubles } from '../output.ts';
import type { Profile } from '../profile.ts';
import { receiptOf } from '../receipt-file.ts';
import { paymentListQuery, type PaymentListOptions } from './list-options.ts';

type CreateOptions = {
  amount: string;
  description?: string;
  point?: string;
  returnUrl?: string;
  receipt?: string;
  png?: string;
  idempotencyKey?: string;
};
type PayOptions = { readonly refuse?: boolean; readonly timeout: string };
type ListOptions = PaymentListOptions & { point?: string };

/** `pay qr`: create, read, pay and list QR payments. */
export function addQrCommands(program: Command): void {
  const qr = program.command('qr').description('create, read, pay and list SBP QR payments');
  qr.command('create')
    .description('create a QR payment and print its nspkurl and the page with the code')
    .requiredOption('--amount <rubles>', 'such as 10.50; sent as exactly this number')
    .option('--description <text>', 'payment purpose')
    .option('--point <paymentPointID>', 'default: the QR point of the profile')
    .option('--return-url <url>', 'where the buyer returns to')
    .option('--receipt <file>', 'JSON of the receipt of 54-FZ: docs/partners/receipts.md')
    .option('--png <file>', 'write the code to this file')
    .option('--idempotency-key <key>', 'default: a new one')
    .action(async (options: CreateOptions, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      const { idempotencyKey, png } = options;
      const created = await withClient(profile, async (client) =>
        withRubles(await client.createQrPayment(newPayment(options, profile), idempotencyKey === undefined ? {} : { idempotencyKey })),
      );
      if (png !== undefined) writePng(png, created.qrImage);
      output.result(lines(created), created);
    });
  qr.command('get <id>')
    .description('show a QR payment')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const payment = await withClient(profile(), async (client) => withRubles(await client.readQrPayment(id)));
      output.result(lines(payment), payment);
    });
  qr.command('cancel <id>')
    .description('cancel an unpaid payment')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const payment = await withClient(profile(), async (client) => withRubles(await client.cancelQrPayment(id)));
      output.result(lines(payment), payment);
    });
  qr.command('pay <id>')
    .description("TEST: press Pay on the bank's page that the code opens")
    .option('--refuse', 'press Refuse instead')
    .option('--timeout <seconds>', 'how long to wait for a final state', '30')
    .action(async (id: string, options: PayOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const payment = await payQr(profile(), id, options);
      output.result(lines(payment), payment);
    });
  qr.command('list')
    .description('list the QR payments of a payment point, newest first')
    .option('--point <paymentPointID>', 'default: the QR point of the profile')
    .option('--from <moment>', 'created at this time or later; ISO 8601')
    .option('--to <moment>', 'created before this time; ISO 8601')
    .option('--status <status>', 'such as COMPLETED')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async (options: ListOptions, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      const point = options.point ?? profile.qrPoint;
      if (point === undefined) throw usage('the profile has no QR point: pass --point');
      const found = await withClient(profile, (client) => client.listQrPayments(point, paymentListQuery(options)));
      const page = { ...found, items: found.items.map(withRubles) };
      const rows = page.items.map((item) => [item.id, item.status, item.amount, item.refundedAmount, item.createdAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no QR payments' : [...table(rows), ...more], page);
    });
}

function newPayment(options: CreateOptions, profile: Profile): NewQrPayment {
  const { amount, description, returnUrl } = options;
  const paymentPointID = options.point ?? profile.qrPoint;
  return {
    ...(paymentPointID === undefined ? {} : { paymentPointID }),
    amount,
    currency: 'RUB',
    ...(description === undefined ? {} : { description }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
    ...receiptOf(options.receipt),
  };
}

/** For people: everything but the image. */
function lines({ qrImage, ...rest }: Partial<QrPayment>): string[] {
  return facts({ ...rest, ...(qrImage === undefined ? {} : { qrImage: 'a PNG data URI: --json, or --png FILE' }) });
}

function writePng(file: string, qrImage: string | undefined): void {
  if (qrImage === undefined) throw new CliFault(EXIT.refused, 'the payment has no code yet: try `pay qr get` later');
  writeFileSync(file, Buffer.from(qrImage.slice(qrImage.indexOf(',') + 1), 'base64'));
}

const OPEN = new Set(['CREATED', 'SUBMITTED', 'PENDING']);
const POLL_MS = 250;

/** Opens the link as the buyer's bank would, presses a button, and waits until the API reports the result. */
export async function payQr(profile: Profile, id: string, { refuse, timeout }: PayOptions): Promise<QrPayment> {
  const seconds = Number(timeout);
  if (!Number.isFinite(seconds) || seconds < 0) throw usage('--timeout must be a number of seconds');
  return withClient(profile, async (client) => {
    const { nspkurl, status } = await client.readQrPayment(id);
    if (nspkurl === undefined) throw new CliFault(EXIT.refused, `payment ${id} is ${status} and has no code`);
    if (profile.bankUrl === undefined || new URL(nspkurl).origin !== new URL(profile.bankUrl).origin) {
      throw usage('only codes of the sandbox bank can be paid here');
    }
    const browser = createBrowser([new URL(nspkurl).origin]);
    const page = await browser.open(nspkurl);
    if (!hasControl(page, 'decision')) throw new CliFault(EXIT.refused, `the bank says: ${titleOf(page)}`);
    const decision = refuse === true ? 'refuse' : 'pay';
    await browser.submit(page, 'decision', ({ value }) => (value === decision ? value : undefined));
    return finalState(client, id, seconds);
  });
}

async function finalState(client: Client, id: string, seconds: number): Promise<QrPayment> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const payment = await client.readQrPayment(id);
    if (!OPEN.has(payment.status)) return withRubles(payment);
    if (performance.now() > deadline) {
      throw new CliFault(EXIT.timeout, `payment ${id} is still ${payment.status}`, withRubles(payment));
    }
    await wait(POLL_MS);
  }
}
