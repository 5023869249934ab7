import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { BINDING_STATUSES, type Binding, type BindingFilter } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { facts, table } from '../output.ts';
import { receiptOf } from '../receipt-file.ts';
import { pageOptions, statusOption } from './list-options.ts';

type ListOptions = { customer: string; status?: string; limit?: string; pageToken?: string };
type ChargeOptions = {
  amount: string;
  order?: string;
  description: string;
  receipt?: string;
  idempotencyKey?: string;
};

/** `pay bindings` and `pay recurring`: saved cards and their charges. */
export function addBindingCommands(program: Command): void {
  const bindings = program.command('bindings').description('saved cards: list, look at, revoke');
  bindings
    .command('list')
    .description("list a buyer's saved cards, newest first")
    .option('--customer <customerID>', 'your buyer', 'cli-buyer')
    .option('--status <status>', 'ACTIVE, REVOKED or EXPIRED')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async (options: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const page = await withClient(profile(), (client) => client.listBindings(filterOf(options)));
      const rows = page.items.map((item) => [item.bindingId, item.status, item.period, cardOf(item), item.nextChargeAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no saved card' : [...table(rows), ...more], page);
    });
  bindings
    .command('get <bindingId>')
    .description('show a binding')
    .action(async (bindingId: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const binding = await withClient(profile(), (client) => client.readBinding(bindingId));
      output.result(facts(binding), binding);
    });
  bindings
    .command('revoke <bindingId>')
    .description('revoke the binding: no new charges, permanently')
    .action(async (bindingId: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const binding = await withClient(profile(), (client) => client.revokeBinding(bindingId));
      output.result(facts(binding), binding);
    });
  program
    .command('recurring')
    .description('charges of saved cards')
    .command('create <bindingId>')
    .description('charge a saved card; `card get` shows the result')
    .requiredOption('--amount <rubles>', 'with two decimals, such as 990.00')
    .option('--order <merchantOrderId>', 'default: a new one')
    .option('--description <text>', 'payment purpose', 'A charge from the command line')
    .option('--receipt <file>', 'JSON of the receipt of 54-FZ: docs/partners/receipts.md')
    .option('--idempotency-key <key>', 'default: a new one')
    .action(async (bindingId: string, options: ChargeOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const { amount, order, description, idempotencyKey } = options;
      const merchantOrderId = order ?? `cli-${randomUUID()}`;
      const payment = {
        merchantOrderId,
        amount,
        currency: 'RUB',
        bindingId,
        description,
        ...receiptOf(options.receipt),
      } as const;
      const created = await withClient(profile(), (client) =>
        client.createRecurringPayment(payment, idempotencyKey === undefined ? {} : { idempotencyKey }),
      );
      output.result(facts(created), created);
    });
}

function filterOf({ customer: customerId, status, limit, pageToken }: ListOptions): BindingFilter {
  return { customerId, ...statusOption(BINDING_STATUSES, status), ...pageOptions(limit, pageToken) };
}

const cardOf = ({ cardMask = '', cardExpiry = '' }: Binding): string => `${cardMask} ${cardExpiry}`.trim();
