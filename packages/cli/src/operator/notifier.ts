import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';

type EventFilter = {
  partner?: string;
  payment?: string;
  type?: string;
  status?: string;
  from?: string;
  to?: string;
  limit?: string;
  pageToken?: string;
};

const receiverPath = (id: string): string => `partners/${encodeURIComponent(id)}`;

/** `pay operator events`, `receivers`, `replays`, `alerts`, `actions`, `gaps`: the operator API of the notifier. */
export function addNotifierCommands(operator: Command): void {
  addEventCommands(operator);
  addReceiverCommands(operator);
  addReplayCommands(operator);
  operator
    .command('alerts')
    .description('delivery problems (notifier)')
    .command('list')
    .description('list delivery problems that need attention')
    .option('--partner <partnerID>')
    .action(({ partner }: { partner?: string }, command: Command) =>
      call(command, 'notifier', `GET alerts${queryOf({ partnerId: partner })}`),
    );
  operator
    .command('actions')
    .description('what operators did in the notifier (notifier)')
    .command('list')
    .description('list who resent, replayed or rotated what (notifier), newest first')
    .option('--partner <partnerID>')
    .option('--limit <count>', '1 to 100')
    .action(({ partner, limit }: { partner?: string; limit?: string }, command: Command) =>
      call(command, 'notifier', `GET actions${queryOf({ partnerId: partner, limit })}`),
    );
  operator
    .command('gaps')
    .description('facts that callbacks wait for (notifier)')
    .command('list')
    .description('list payments and bindings whose callbacks wait for a missing fact (notifier), longest wait first')
    .option('--limit <count>', '1 to 100')
    .action(({ limit }: { limit?: string }, command: Command) => call(command, 'notifier', `GET gaps${queryOf({ limit })}`));
}

function addEventCommands(operator: Command): void {
  const events = operator.command('events').description('events and their deliveries (notifier)');
  events
    .command('list')
    .description('list events, newest first')
    .option('--partner <partnerID>')
    .option('--payment <id>')
    .option('--type <type>', 'such as payment.completed')
    .option('--status <status>', 'WAITING, DELIVERED, REFUSED, EXHAUSTED or NOT_CONFIGURED')
    .option('--from <moment>', 'recorded at this time or later; ISO 8601')
    .option('--to <moment>', 'recorded before this time; ISO 8601')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(({ partner, payment, ...rest }: EventFilter, command: Command) =>
      call(command, 'notifier', `GET events${queryOf({ partnerId: partner, paymentId: payment, ...rest })}`),
    );
  events
    .command('get <eventId>')
    .description('show an event with all attempts')
    .action((id: string, _options: unknown, command: Command) => call(command, 'notifier', `GET events/${encodeURIComponent(id)}`));
  events
    .command('resend <eventId>')
    .description('deliver it again')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'notifier', `POST events/${encodeURIComponent(id)}/resend`, {}),
    );
}

function addReceiverCommands(operator: Command): void {
  const receivers = operator.command('receivers').description('callback addresses and secrets of partners (notifier)');
  receivers
    .command('list')
    .description('list receivers and their health, by partnerID')
    .option('--after <partnerID>', 'start after this one')
    .option('--limit <count>', '1 to 100')
    .action(({ after, limit }: { after?: string; limit?: string }, command: Command) =>
      call(command, 'notifier', `GET partners${queryOf({ after, limit })}`),
    );
  receivers
    .command('get <partnerID>')
    .description('show a receiver and its callback keys')
    .action((id: string, _options: unknown, command: Command) => call(command, 'notifier', `GET ${receiverPath(id)}`));
  receivers
    .command('rotate-secret <partnerID>')
    .description('let the partner fetch a new callback secret')
    .option('--overlap-hours <hours>', 'how long both secrets are used; 0 after a compromise', Number)
    .action((id: string, { overlapHours }: { overlapHours?: number }, command: Command) =>
      call(command, 'notifier', `POST ${receiverPath(id)}/secret-rotation`, overlapHours === undefined ? {} : { overlapHours }),
    );
  receivers
    .command('test-callback <partnerID>')
    .description("resend the partner's newest payment.completed")
    .action((id: string, _options: unknown, command: Command) => call(command, 'notifier', `POST ${receiverPath(id)}/test-callback`, {}));
}

type ReplayFilter = { partner: string; from: string; to: string; type?: string[]; status?: string[]; dryRun?: boolean };

function addReplayCommands(operator: Command): void {
  const replays = operator.command('replays').description('replays of a range of events (notifier)');
  replays
    .command('start')
    .description('resend the events recorded in a range, fifty per second')
    .requiredOption('--partner <partnerID>')
    .requiredOption('--from <time>', 'ISO 8601, included')
    .requiredOption('--to <time>', 'ISO 8601, not included')
    .option('--type <types...>', 'such as payment.completed; default: every type')
    .option('--status <statuses...>', 'DELIVERED, REFUSED, EXHAUSTED, NOT_CONFIGURED; default: all')
    .option('--dry-run', 'only count')
    .action(({ partner, type, status, ...rest }: ReplayFilter, command: Command) =>
      call(command, 'notifier', 'POST replays', {
        partnerId: partner,
        ...rest,
        ...(type === undefined ? {} : { types: type }),
        ...(status === undefined ? {} : { statuses: status }),
      }),
    );
  replays
    .command('list')
    .description('list replays, newest first')
    .option('--partner <partnerID>')
    .option('--limit <count>', '1 to 100')
    .action(({ partner, limit }: { partner?: string; limit?: string }, command: Command) =>
      call(command, 'notifier', `GET replays${queryOf({ partnerId: partner, limit })}`),
    );
  replays
    .command('get <replayId>')
    .description('show the progress of a replay')
    .action((id: string, _options: unknown, command: Command) => call(command, 'notifier', `GET replays/${encodeURIComponent(id)}`));
  replays
    .command('cancel <replayId>')
    .description('stop a replay')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'notifier', `POST replays/${encodeURIComponent(id)}/cancel`),
    );
}

/** The query string of a filter; options that are not given are omitted. */
export function queryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
