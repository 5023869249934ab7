import { Argument, Option, type Command } from 'commander';
import { callOperatorApi as call } from '../operator-api.ts';
import { queryOf } from './operator-notifier.ts';

const ROLES = ['support', 'operator', 'finance', 'admin'];
const roleArgument = () => new Argument('<role>').choices(ROLES);
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
    .description('somebody new; the first password is told once')
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
    .addArgument(roleArgument())
    .description('another role; ends the sessions')
    .action((login: string, role: string, _options: unknown, command: Command) =>
      call(command, 'console', `POST ${path(login, 'role')}`, { role }),
    );
  for (const [verb, meaning] of [
    ['disable', 'signs in no more; ends the sessions'],
    ['enable', 'signs in again'],
    ['reset-second-factor', 'sets up a new one at the next sign-in; ends the sessions'],
  ] as const) {
    accounts
      .command(`${verb} <login>`)
      .description(meaning)
      .action((login: string, _options: unknown, command: Command) =>
        call(command, 'console', `POST ${path(login, verb)}`, {}),
      );
  }
  operator
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
}
