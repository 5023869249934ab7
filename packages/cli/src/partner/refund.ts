import type { Command } from 'commander';
import { ApiError } from '@pay/sdk/errors.ts';
import type { Client } from '@pay/sdk/client.ts';
import type { ListPage, NewRefund, PageOptions, Refund } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { facts, table } from '../output.ts';
import { receiptOf } from '../receipt-file.ts';
import { pageOptions } from './list-options.ts';

type CreateOptions = { amount?: string; reason?: string; refund?: string; receipt?: string; idempotencyKey?: string };
type ListOptions = { limit?: string; pageToken?: string };

/** `pay refund`: refunds of card and QR payments. */
export function addRefundCommands(program: Command): void {
  const refund = program.command('refund').description('give money back, and look at refunds');
  refund
    .command('create <id>')
    .description('refund part of a card or QR payment, or the remaining amount')
    .option('--amount <rubles>', 'with two decimals, such as 10.50; default: the remaining amount')
    .option('--reason <text>', 'up to 140 characters')
    .option('--refund <merchantRefundId>', 'your own refund number')
    .option('--receipt <file>', 'JSON of the receipt of 54-FZ: docs/partners/receipts.md')
    .option('--idempotency-key <key>', 'default: a new one')
    .action(async (id: string, options: CreateOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const created = await withClient(profile(), (client) => create(client, id, options));
      output.result(facts(created), created);
    });
  refund
    .command('get <refundId>')
    .description('show a refund')
    .action(async (refundId: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const found = await withClient(profile(), (client) => client.readRefund(refundId));
      output.result(facts(found), found);
    });
  refund
    .command('list <id>')
    .description('list the refunds of a card or QR payment, newest first')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async (id: string, { limit, pageToken }: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const page = await withClient(profile(), (client) => list(client, id, pageOptions(limit, pageToken)));
      const rows = page.items.map((item) => [item.refundId, item.status, item.amount, item.createdAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no refund' : [...table(rows), ...more], page);
    });
}

async function create(client: Client, id: string, options: CreateOptions): Promise<Refund> {
  const { amount, reason, refund: merchantRefundId, idempotencyKey } = options;
  const body: NewRefund = {
    ...(amount === undefined ? {} : { amount }),
    ...(reason === undefined ? {} : { reason }),
    ...(merchantRefundId === undefined ? {} : { merchantRefundId }),
    ...receiptOf(options.receipt),
  };
  const given = idempotencyKey === undefined ? {} : { idempotencyKey };
  return orOfQr(
    () => client.refundCardPayment(id, body, given),
    () => client.refundQrPayment(id, body, given),
  );
}

function list(client: Client, id: string, page: PageOptions): Promise<ListPage<Refund>> {
  return orOfQr(
    () => client.listCardRefunds(id, page),
    () => client.listQrRefunds(id, page),
  );
}

/** An id does not tell which kind of payment it is; the API returns 404 for a payment of the other kind. */
async function orOfQr<T>(ofCard: () => Promise<T>, ofQr: () => Promise<T>): Promise<T> {
  try {
    return await ofCard();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return ofQr();
    throw error;
  }
}
