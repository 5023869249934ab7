import { Command } from 'commander';
import { addBindingCommands } from './commands/bindings.ts';
import { addCallbackCommands } from './commands/callbacks.ts';
import { addCardCommands } from './commands/card.ts';
import { addDiagnose } from './commands/diagnose.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addOperatorCommands } from './commands/operator.ts';
import { addProxy } from './commands/proxy.ts';
import { addQrCommands } from './commands/qr.ts';
import { addRefundCommands } from './commands/refund.ts';
import { addRegisterCommands } from './commands/registers.ts';
import { addRequestCommands } from './commands/request.ts';
import { addSandboxCommands } from './commands/sandbox.ts';
import { addSign } from './commands/sign.ts';
import { addWithdrawalCommands } from './commands/withdrawals.ts';

/** The whole command line. */
export function createProgram(): Command {
  const program = new Command('pay')
    .description('Signs, calls, pays, listens: the payment service from the partner’s side.')
    .option('--json', 'print JSON')
    .option('--profile <file>', 'who and where; default: PAY_PROFILE, else .local/demo.json of `npm start`')
    .option('--other', "be the profile's other partner")
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .configureHelp({ showGlobalOptions: true });
  program.addHelpText(
    'after',
    `
Exit status: 0 done · 1 refused, or a check failed · 2 wrong command line · 3 nobody answered · 5 did not come in time`,
  );
  addKeyCommands(program);
  addSign(program);
  addDiagnose(program);
  addRequestCommands(program);
  addCardCommands(program);
  addQrCommands(program);
  addRefundCommands(program);
  addRegisterCommands(program);
  addBindingCommands(program);
  addWithdrawalCommands(program);
  addCallbackCommands(program);
  addEventCommands(program);
  addSandboxCommands(program);
  addProxy(program);
  addDoctor(program);
  addOperatorCommands(program);
  return program;
}
