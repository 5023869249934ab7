import { Argument, type Command } from 'commander';
import { callOperatorApi as call, type OperatorService } from './api.ts';
import { queryOf } from './notifier.ts';

const serviceArgument = () => new Argument('<service>', 'whose queue').choices(['bindings', 'notifier', 'withdrawals']);
const path = (id: string): string => `dead-letters/${encodeURIComponent(id)}`;

type Filter = { status?: string; type?: string; limit?: string; pageToken?: string };
type Redrive = { type?: string; dryRun?: true; upTo?: string };

/** `pay operator dead-letters`: lists messages that a service could not process, and processes them again. */
export function addDeadLetterCommands(operator: Command): void {
  const letters = operator.command('dead-letters').description('messages that a service could not process');
  letters
    .command('list')
    .addArgument(serviceArgument())
    .description('list dead letters, newest first')
    .option('--status <status>', 'WAITING or REDRIVEN')
    .option('--type <type>', 'such as store.created')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action((service: OperatorService, filter: Filter, command: Command) => call(command, service, `GET dead-letters${queryOf(filter)}`));
  letters
    .command('get')
    .addArgument(serviceArgument())
    .argument('<deadLetterId>')
    .description('show a message with its body')
    .action((service: OperatorService, id: string, _options: unknown, command: Command) => call(command, service, `GET ${path(id)}`));
  letters
    .command('redrive')
    .addArgument(serviceArgument())
    .argument('<deadLetterId>')
    .description('process it again now and show the result')
    .action((service: OperatorService, id: string, _options: unknown, command: Command) =>
      call(command, service, `POST ${path(id)}/redrive`, {}),
    );
  letters
    .command('redrive-all')
    .addArgument(serviceArgument())
    .description('process the counted messages again, oldest first')
    .option('--type <type>', 'only these')
    .option('--dry-run', 'only count; the result contains upTo for the next call')
    .option('--up-to <moment>', 'messages that failed at this time or before: upTo of the count')
    .action((service: OperatorService, { type, dryRun, upTo }: Redrive, command: Command) =>
      call(command, service, 'POST dead-letters/redrive', {
        ...(dryRun === true ? { dryRun } : { upTo }),
        ...(type === undefined ? {} : { type }),
      }),
    );
  operator
    .command('queues')
    .description('queues of a service')
    .command('list')
    .addArgument(new Argument('<service>').choices(['bindings', 'notifier', 'payments', 'withdrawals']))
    .description('list the queues of a service with the age of the oldest item')
    .action((service: OperatorService, _options: unknown, command: Command) => call(command, service, 'GET queues'));
  operator
    .command('overview')
    .description('what the overview of the console shows')
    .command('get')
    .addArgument(new Argument('<service>').choices(['notifier', 'payments', 'withdrawals']))
    .description('show the data of the console overview: payments, callbacks or balances')
    .option('--from <time>', 'ISO 8601, included; default: a day ago')
    .option('--to <time>', 'ISO 8601, not included; default: now')
    .action((service: OperatorService, range: { from?: string; to?: string }, command: Command) =>
      call(command, service, `GET overview${service === 'withdrawals' ? '' : queryOf(lastDay(range))}`),
    );
}

const DAY_MS = 86_400_000;

function lastDay({ from, to }: { from?: string; to?: string }): Record<string, string> {
  const end = to ?? new Date().toISOString();
  const endMs = Date.parse(end);
  // What is no moment is sent as it is: the service says so, and how to write one.
  return { from: from ?? (Number.isNaN(endMs) ? end : new Date(endMs - DAY_MS).toISOString()), to: end };
}
