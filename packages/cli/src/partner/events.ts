import type { Command } from 'commander';
import { EVENT_STATUSES, type EventFilter } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { facts, table } from '../output.ts';
import { pageOptions, statusOption } from './list-options.ts';

type ListOptions = {
  object?: string;
  type?: string;
  status?: string;
  from?: string;
  to?: string;
  limit?: string;
  pageToken?: string;
};

/** `pay events`: what the service sent you, or tried to. */
export function addEventCommands(program: Command): void {
  const events = program.command('events').description('your event log: list, look at, send again');
  events
    .command('list')
    .description('list your events of the last 30 days, newest first')
    .option('--object <id>', 'by payment, binding or payout request')
    .option('--type <type>', 'such as payment.completed')
    .option('--status <status>', EVENT_STATUSES.join(', '))
    .option('--from <moment>', 'recorded at this time or later; ISO 8601')
    .option('--to <moment>', 'recorded before this time; ISO 8601')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async (options: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const page = await withClient(profile(), (client) => client.listEvents(filterOf(options)));
      const rows = page.items.map((one) => [one.eventId, one.type, one.objectId, one.status, one.recordedAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no event' : [...table(rows), ...more], page);
    });
  events
    .command('get <eventId>')
    .description('show an event with its body and attempts')
    .action(async (eventId: string, _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const story = await withClient(profile(), (client) => client.readEvent(eventId));
      const { attempts, ...event } = story;
      const rows = attempts.map((one) => [
        one.startedAt,
        one.outcome,
        one.httpStatus === null ? (one.failure ?? '') : String(one.httpStatus),
        `${String(one.durationMs)} ms`,
        one.isReplay ? 'replay' : '',
      ]);
      output.result([...facts(event), ...table(rows)], story);
    });
  events
    .command('replay <eventId>')
    .description('resend an event, including one that was stored but never sent')
    .option('--idempotency-key <key>', 'default: a new one')
    .action(async (eventId: string, { idempotencyKey }: { idempotencyKey?: string }, command: Command) => {
      const { output, profile } = contextOf(command);
      const event = await withClient(profile(), (client) =>
        client.replayEvent(eventId, idempotencyKey === undefined ? {} : { idempotencyKey }),
      );
      output.result(facts(event), event);
    });
}

function filterOf({ object, type, status, from, to, limit, pageToken }: ListOptions): EventFilter {
  return {
    ...pageOptions(limit, pageToken),
    ...(object === undefined ? {} : { objectId: object }),
    ...(type === undefined ? {} : { type }),
    ...statusOption(EVENT_STATUSES, status),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
