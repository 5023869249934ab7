import { Argument, Option, type Command } from 'commander';
import { ROLES } from '@pay/shared/operators/roles.ts';
import { callOperatorApi as call } from './api.ts';
import { addAuditVerify } from './audit.ts';
import { queryOf } from './notifier.ts';

type Newcomer = { role: string; company?: true };
const path = (login: string, change: string): string => `operators/${encodeURIComponent(login)}/${change}`;

/** `pay operator accounts`, `audit`: the accounts of the console, and its audit log. */
export function addConsoleCommands(operator: Command): void {
  const accounts = operator.command('accounts').description('accounts of the console (console)');
  accounts
    .command('list')
    .description('list all accounts, including disabled ones')
    .action((_options: unknown, command: Command) => call(command, 'console', 'GET operators'));
  accounts
    .command('create <login> <name>')
    .description('propose a new account; another administrator confirms it')
    .addOption(new Option('--role <role>', 'role of the account').choices(ROLES).makeOptionMandatory())
    .option('--company', 'signs in through company SSO, without a password')
    .action((login: string, name: string, { role, company }: Newcomer, command: Command) =>
      call(command, 'console', 'POST operators', {
        login,
        name,
        role,
        signIn: company === true ? 'company' : 'password',
      }),
    );
  accounts
    .command('role <login>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .description('propose another role')
    .action((login: string, role: string, _options: unknown, command: Command) =>
      call(command, 'console', `POST ${path(login, 'role')}`, { role }),
    );
  for (const [verb, meaning] of [
    ['disable', 'disable an account immediately and end its sessions'],
    ['unlock', 'unlock an account after too many wrong passwords or codes'],
    ['enable', 'propose to enable an account again'],
    ['reset-second-factor', 'propose to reset the second factor'],
    ['new-password', 'propose a new initial password'],
  ] as const) {
    accounts
      .command(`${verb} <login>`)
      .description(meaning)
      .action((login: string, _options: unknown, command: Command) => call(command, 'console', `POST ${path(login, verb)}`, {}));
  }
  addChangeCommands(accounts);
  const audit = operator.command('audit').description('audit logs (console)');
  audit
    .command('list')
    .description('list the entries of the audit log of the console, newest first')
    .option('--operator <login>')
    .option('--action <action>', 'such as withdrawals.approve')
    .option('--subject <id>')
    .option('--before <position>', 'entries before this position')
    .option('--limit <count>', '1 to 100')
    .action(({ subject, ...filter }: Record<string, string>, command: Command) =>
      call(command, 'console', `GET audit${queryOf({ subjectId: subject, ...filter })}`),
    );
  addAuditVerify(audit);
}

/** What one administrator proposes and another decides. */
function addChangeCommands(accounts: Command): void {
  accounts
    .command('changes')
    .description('list proposed account changes and the decisions on them')
    .action((_options: unknown, command: Command) => call(command, 'console', 'GET account-changes'));
  for (const [verb, meaning] of [
    ['confirm', "confirm another administrator's proposal; an initial password is shown once"],
    ['reject', 'reject a proposal'],
  ] as const) {
    accounts
      .command(`${verb} <changeId>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) =>
        call(command, 'console', `POST account-changes/${encodeURIComponent(id)}/${verb}`, {}),
      );
  }
}
