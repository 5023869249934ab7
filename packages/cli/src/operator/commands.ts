import type { Command } from 'commander';
import { addConsentCommands } from './bindings.ts';
import { addConsoleCommands } from './console.ts';
import { addDeadLetterCommands } from './dead-letters.ts';
import { addFactsCommands } from './facts.ts';
import { addGatewayCommands } from './gateway.ts';
import { addLedgerCommands } from './ledger.ts';
import { addNotifierCommands } from './notifier.ts';
import { addPaymentsCommands } from './payments.ts';
import { addReconciliationCommands } from './reconciliation.ts';
import { addWithdrawalsCommands } from './withdrawals.ts';

/** `pay operator`: what operators do, through the console and as the person named by `--as`. */
export function addOperatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('operator commands, sent through the console')
    .option('--as <login>', 'who signs in; for the demo, the part before the @ is enough (default: its administrator)')
    .option('--console <url>', 'URL of the console, if not in the profile (or PAY_CONSOLE_URL)')
    .option('--code <digits>', 'second-factor code, if enabled');
  addGatewayCommands(operator);
  addLedgerCommands(operator);
  addNotifierCommands(operator);
  addPaymentsCommands(operator);
  addConsentCommands(operator);
  addReconciliationCommands(operator);
  addWithdrawalsCommands(operator);
  addDeadLetterCommands(operator);
  addFactsCommands(operator);
  addConsoleCommands(operator);
}
