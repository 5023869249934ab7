import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';
import { queryOf } from './notifier.ts';

/** `pay operator ledger`: the ruble books (payments). */
export function addLedgerCommands(operator: Command): void {
  const ledger = operator.command('ledger').description('the ruble books (payments)');
  ledger
    .command('trial-balance')
    .description('list every account, debits positive, summing to 0.00; without --at, report running totals that differ')
    .option('--at <moment>', 'as of just before this time, such as 2026-11-21T00:00:00Z')
    .action((options: { at?: string }, command: Command) => call(command, 'payments', `GET ledger/trial-balance${queryOf(options)}`));
  ledger
    .command('statement <partnerID>')
    .description('show what we owe a partner, entry by entry, with fee and running balance')
    .requiredOption('--from <moment>', 'start of the period, such as 2026-11-01T00:00:00Z')
    .requiredOption('--to <moment>', 'end of the period, not included')
    .action((partnerID: string, period: { from: string; to: string }, command: Command) =>
      call(command, 'payments', `GET ledger/statements/${encodeURIComponent(partnerID)}${queryOf(period)}`),
    );
}
