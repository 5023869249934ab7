import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';
import { queryOf } from './notifier.ts';

/** `pay operator ledger`: the ruble books (payments). */
export function addLedgerCommands(operator: Command): void {
  const ledger = operator.command('ledger').description('the ruble books (payments)');
  ledger
    .command('trial-balance')
    .description('every account, debits positive; the total is 0.00; without --at also where running totals differ')
    .option('--at <moment>', 'as it was before this moment, such as 2026-11-21T00:00:00Z')
    .action((options: { at?: string }, command: Command) =>
      call(command, 'payments', `GET ledger/trial-balance${queryOf(options)}`),
    );
  ledger
    .command('statement <partnerID>')
    .description('what we owe a partner, booking by booking, with fee and running balance')
    .requiredOption('--from <moment>', 'the first moment of the period, such as 2026-11-01T00:00:00Z')
    .requiredOption('--to <moment>', 'the first moment behind it')
    .action((partnerID: string, period: { from: string; to: string }, command: Command) =>
      call(command, 'payments', `GET ledger/statements/${encodeURIComponent(partnerID)}${queryOf(period)}`),
    );
}
