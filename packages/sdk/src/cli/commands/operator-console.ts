import type { Command } from 'commander';
import { callOperatorApi as call } from '../operator-api.ts';
import { queryOf } from './operator-notifier.ts';

/** `pay operator accounts`, `audit`: who may sign in to the console, and its trail. */
export function addConsoleCommands(operator: Command): void {
  const accounts = operator.command('accounts').description('who may sign in to the console (console)');
  accounts
    .command('list')
    .description('everybody, the disabled too')
    .action((_options: unknown, command: Command) => call(command, 'console', 'GET operators'));
  accounts
    .command('changes')
    .description('what is proposed for accounts and what was decided; on the pages, by two administrators')
    .action((_options: unknown, command: Command) => call(command, 'console', 'GET account-changes'));
  accounts
    .command('disable <login>')
    .description('signs in no more; ends the sessions')
    .action((login: string, _options: unknown, command: Command) =>
      call(command, 'console', `POST operators/${encodeURIComponent(login)}/disable`, {}),
    );
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
