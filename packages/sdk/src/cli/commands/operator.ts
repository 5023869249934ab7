import type { Command } from 'commander';
import { addConsentCommands } from './operator-bindings.ts';
import { addConsoleCommands } from './operator-console.ts';
import { addDeadLetterCommands } from './operator-dead-letters.ts';
import { addGatewayCommands } from './operator-gateway.ts';
import { addLedgerCommands } from './operator-ledger.ts';
import { addNotifierCommands } from './operator-notifier.ts';
import { addPaymentsCommands } from './operator-payments.ts';
import { addReconciliationCommands } from './operator-reconciliation.ts';
import { addWithdrawalsCommands } from './operator-withdrawals.ts';

/** `pay operator`: the operator APIs of a system on this machine, as the person named by `--as`. */
export function addOperatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('the operator APIs of the system on this machine')
    .option('--as <login>', 'who does it; stands in the audit trail', 'cli');
  addGatewayCommands(operator);
  addLedgerCommands(operator);
  addNotifierCommands(operator);
  addPaymentsCommands(operator);
  addConsentCommands(operator);
  addReconciliationCommands(operator);
  addWithdrawalsCommands(operator);
  addDeadLetterCommands(operator);
  addConsoleCommands(operator);
}
