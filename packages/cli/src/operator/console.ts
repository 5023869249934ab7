import { Argument, Option, type Command } from 'commander';
import { callOperatorApi as call } from './api.ts';
import { addAuditVerify } from './audit.ts';
import { queryOf } from './notifier.ts';

const ROLES = ['support', 'operator', 'finance', 'admin'];
type Newcomer = { role: string; company?: true };
const path = (login: string, change: string): string => `operators/${encodeURIComponent(login)}/${change}`;

/** `pay operator accounts`, `audit`: who may sign in to the console, and its trail. */
export function addConsoleCommands(operator: Command): void {
  const accounts = operator.command('accounts').description('who may sign in to the console (console)');
  accounts
    .command('list')
    .description('everybody, the disabled too')
    .action((_options: unknown, command: Command) => call(command, 'console', 'GET operators'));
  accounts
    .command('create <login> <name>')
    .description('proposes somebody new; another administrator confirms')
    .addOption(new Option('--role <role>', 'what he is employed for').choices(ROLES).makeOptionMandatory())
    .option('--company', 'comes by the company’s own sign-in, without a password')
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
    .description('proposes another role')
    .action((login: string, role: string, _options: unknown, command: Command) =>
      call(command, 'console', `POST ${path(login, 'role')}`, { role }),
    );
  for (const [verb, meaning] of [
    ['disable', 'signs in no more, at once; ends the sessions'],
    ['unlock', 'after too many wrong passwords or codes, at once'],
    ['enable', 'proposes that he signs in again'],
    ['reset-second-factor', 'proposes that he sets up a new one'],
    ['new-password', 'proposes a new first password'],
  ] as const) {
    accounts
      .command(`${verb} <login>`)
      .description(meaning)
      .action((login: string, _options: unknown, command: Command) =>
        call(command, 'console', `POST ${path(login, verb)}`, {}),
      );
  }
  addChangeCommands(accounts);
  const audit = operator
    .command('audit')
    .description('what was asked of the console, and what became of it (console)')
    .option('--operator <login>')
    .option('--action <action>', 'such as withdrawals.approve')
    .option('--subject <id>')
    .option('--before <position>', 'those before this one')
    .option('--limit <count>', '1 to 100')
    .action(({ subject, ...filter }: Record<string, string>, command: Command) =>
      call(command, 'console', `GET audit${queryOf({ subjectId: subject, ...filter })}`),
    );
  addAuditVerify(audit);
}

/** What one administrator proposed and another one decides. */
function addChangeCommands(accounts: Command): void {
  accounts
    .command('changes')
    .description('what is proposed for accounts, and what was decided')
    .action((_options: unknown, command: Command) => call(command, 'console', 'GET account-changes'));
  for (const [verb, meaning] of [
    ['confirm', 'does what another administrator proposed; a first password is told once'],
    ['reject', 'ends a proposal'],
  ] as const) {
    accounts
      .command(`${verb} <changeId>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) =>
        call(command, 'console', `POST account-changes/${encodeURIComponent(id)}/${verb}`, {}),
      );
  }
}
