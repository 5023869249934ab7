import { Argument, type Command } from 'commander';
import { callOperatorApi as call, type OperatorService } from './api.ts';
import { queryOf } from './notifier.ts';

const serviceArgument = () => new Argument('<service>', 'whose queue').choices(['bindings', 'notifier', 'withdrawals']);
const path = (id: string): string => `dead-letters/${encodeURIComponent(id)}`;

type Filter = { status?: string; type?: string; limit?: string; pageToken?: string };
type Redrive = { type?: string; dryRun?: true; upTo?: string };

/** `pay operator dead-letters`: messages that a service could not handle, and having them handled again. */
export function addDeadLetterCommands(operator: Command): void {
  const letters = operator.command('dead-letters').description('messages that a service could not handle');
  letters
    .command('list')
    .addArgument(serviceArgument())
    .description('newest first')
    .option('--status <status>', 'WAITING or REDRIVEN')
    .option('--type <type>', 'such as store.created')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the page before')
    .action((service: OperatorService, filter: Filter, command: Command) =>
      call(command, service, `GET dead-letters${queryOf(filter)}`),
    );
  letters
    .command('get')
    .addArgument(serviceArgument())
    .argument('<deadLetterId>')
    .description('one message with its body')
    .action((service: OperatorService, id: string, _options: unknown, command: Command) =>
      call(command, service, `GET ${path(id)}`),
    );
  letters
    .command('redrive')
    .addArgument(serviceArgument())
    .argument('<deadLetterId>')
    .description('handle it again, now; the answer says whether that worked, or why not')
    .action((service: OperatorService, id: string, _options: unknown, command: Command) =>
      call(command, service, `POST ${path(id)}/redrive`, {}),
    );
  letters
    .command('redrive-all')
    .addArgument(serviceArgument())
    .description('handle again what was counted, the oldest first')
    .option('--type <type>', 'only these')
    .option('--dry-run', 'only count; the answer has the upTo of the call that follows')
    .option('--up-to <moment>', 'what died at this moment or before: upTo of the count')
    .action((service: OperatorService, { type, dryRun, upTo }: Redrive, command: Command) =>
      call(command, service, 'POST dead-letters/redrive', {
        ...(dryRun === true ? { dryRun } : { upTo }),
        ...(type === undefined ? {} : { type }),
      }),
    );
  operator
    .command('queues')
    .addArgument(new Argument('<service>').choices(['bindings', 'notifier', 'payments', 'withdrawals']))
    .description('what waits in a service, and since when')
    .action((service: OperatorService, _options: unknown, command: Command) => call(command, service, 'GET queues'));
  operator
    .command('overview')
    .addArgument(new Argument('<service>').choices(['notifier', 'payments', 'withdrawals']))
    .description('what the console draws: payments, callbacks or balances')
    .option('--from <time>', 'ISO 8601, included; default: a day ago')
    .option('--to <time>', 'ISO 8601, not included; default: now')
    .action((service: OperatorService, range: { from?: string; to?: string }, command: Command) =>
      call(command, service, `GET overview${service === 'withdrawals' ? '' : queryOf(lastDay(range))}`),
    );
}

const DAY_MS = 86_400_000;

function lastDay({ from, to }: { from?: string; to?: string }): Record<string, string> {
  const end = to ?? new Date().toISOString();
  return { from: from ?? new Date(Date.parse(end) - DAY_MS).toISOString(), to: end };
}
