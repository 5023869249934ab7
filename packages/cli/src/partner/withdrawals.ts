import type { Command } from 'commander';
import { WITHDRAWAL_STATUSES, type WithdrawalFilter } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { facts, table } from '../output.ts';
import { pageOptions, statusOption } from './list-options.ts';

type ListOptions = { store?: string; status?: string; limit?: string; pageToken?: string };

/** `pay withdrawals`: the partner's own payout requests. */
export function addWithdrawalCommands(program: Command): void {
  const withdrawals = program.command('withdrawals').description('payout requests: list, show, cancel');
  withdrawals
    .command('list')
    .description('list payout requests, newest first')
    .option('--store <storeID>', 'by store')
    .option('--status <status>', 'such as REQUESTED')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async (options: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const page = await withClient(profile(), (client) => client.listWithdrawalRequests(filterOf(options)));
      const rows = page.items.map((item) => [item.withdrawalRequestId, item.status, item.amountUsdt, item.createdAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no payout requests' : [...table(rows), ...more], page);
    });
  withdrawals
    .command('get <requestID>')
    .description('show a payout request')
    .action(async (requestID: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const request = await withClient(profile(), (client) => client.readWithdrawalRequest(requestID));
      output.result(facts(request), request);
    });
  withdrawals
    .command('cancel <requestID>')
    .description('cancel a payout request that nobody has claimed yet')
    .action(async (requestID: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const request = await withClient(profile(), (client) => client.cancelWithdrawalRequest(requestID));
      output.result(facts(request), request);
    });
}

function filterOf({ store, status, limit, pageToken }: ListOptions): WithdrawalFilter {
  return {
    ...pageOptions(limit, pageToken),
    ...(store === undefined ? {} : { storeId: store }),
    ...statusOption(WITHDRAWAL_STATUSES, status),
  };
}
