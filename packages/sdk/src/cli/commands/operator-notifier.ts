import type { Command } from 'commander';
import { callOperatorApi as call } from '../operator-api.ts';

type EventFilter = { partner?: string; payment?: string; type?: string; status?: string; limit?: string };

const receiverPath = (id: string): string => `partners/${encodeURIComponent(id)}`;

/** `pay operator events`, `receivers`, `alerts`: the operator API of the notifier. */
export function addNotifierCommands(operator: Command): void {
  addEventCommands(operator);
  addReceiverCommands(operator);
  operator
    .command('alerts')
    .description('what a human should see about deliveries')
    .option('--partner <partnerID>')
    .action(({ partner }: { partner?: string }, command: Command) =>
      call(command, 'notifier', `GET alerts${queryOf({ partnerId: partner })}`),
    );
}

function addEventCommands(operator: Command): void {
  const events = operator.command('events').description('events and their deliveries (notifier)');
  events
    .command('list')
    .description('newest first')
    .option('--partner <partnerID>')
    .option('--payment <id>')
    .option('--type <type>', 'such as payment.completed')
    .option('--status <status>', 'WAITING, DELIVERED, REFUSED or EXHAUSTED')
    .option('--limit <count>', '1 to 100')
    .action(({ partner, payment, ...rest }: EventFilter, command: Command) =>
      call(command, 'notifier', `GET events${queryOf({ partnerId: partner, paymentId: payment, ...rest })}`),
    );
  events
    .command('get <eventId>')
    .description('one event with every attempt')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'notifier', `GET events/${encodeURIComponent(id)}`),
    );
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
    .description('every receiver and how it behaves')
    .action((_options: unknown, command: Command) => call(command, 'notifier', 'GET partners'));
  receivers
    .command('get <partnerID>')
    .description('one receiver and its callback keys')
    .action((id: string, _options: unknown, command: Command) => call(command, 'notifier', `GET ${receiverPath(id)}`));
  receivers
    .command('rotate-secret <partnerID>')
    .description('let the partner fetch a new callback secret')
    .option('--overlap-hours <hours>', 'how long both secrets sign; 0 after a compromise', Number)
    .action((id: string, { overlapHours }: { overlapHours?: number }, command: Command) =>
      call(
        command,
        'notifier',
        `POST ${receiverPath(id)}/secret-rotation`,
        overlapHours === undefined ? {} : { overlapHours },
      ),
    );
  receivers
    .command('test-callback <partnerID>')
    .description("send the partner's newest payment.completed again")
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'notifier', `POST ${receiverPath(id)}/test-callback`, {}),
    );
}

function queryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
