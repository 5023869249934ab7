import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addCompletion } from './completion.ts';
import { addPutBack } from './partner/put-callback-url-back.ts';
import { addBindingCommands } from './partner/bindings.ts';
import { addCallbackCommands } from './partner/callbacks.ts';
import { addCardCommands } from './partner/card.ts';
import { addDiagnose } from './partner/diagnose.ts';
import { addDoctor } from './partner/doctor.ts';
import { addEventCommands } from './partner/events.ts';
import { addKeyCommands } from './partner/keys.ts';
import { addLogCommands } from './partner/logs.ts';
import { addPortalCommands } from './partner/portal.ts';
import { addProxy } from './partner/proxy.ts';
import { addQrCommands } from './partner/qr.ts';
import { addRefundCommands } from './partner/refund.ts';
import { addRegisterCommands } from './partner/registers.ts';
import { addRequestCommands } from './partner/request.ts';
import { addSandboxCommands } from './partner/sandbox.ts';
import { addSign } from './partner/sign.ts';
import { addTrigger } from './partner/trigger.ts';
import { addWithdrawalCommands } from './partner/withdrawals.ts';

/** The commands of a partner: what the package has (decisions/sdks). */
export function createPartnerProgram(): Command {
  const program = new Command('pay')
    .description('The payment service from the partner’s side: sign, call, pay, listen.')
    .version(manifest.version)
    .option('--json', 'print JSON')
    .option('--profile <file>', 'profile with addresses and keys; default: PAY_PROFILE, else .local/demo.json of `npm start`')
    .option('--other', "act as the profile's other partner")
    .exitOverride()
    .showHelpAfterError('(see --help)')
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
  addLogCommands(program);
  addTrigger(program);
  addSandboxCommands(program);
  addProxy(program);
  addPortalCommands(program);
  addDoctor(program);
  addCompletion(program);
  addPutBack(program);
  return program;
}
