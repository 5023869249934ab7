import type { Command } from 'commander';
import { EVENT_STATUSES, type EventFilter } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { usage } from '../fault.ts';
import { facts, table } from '../output.ts';
import { pageOptions } from './list-options.ts';

type ListOptions = {
  object?: string;
  type?: string;
  status?: string;
  from?: string;
  to?: string;
  limit?: string;
  pageToken?: string;
};

/** `pay events`: what the service told you, or tried to. */
export function addEventCommands(program: Command): void {
  const events = program.command('events').description('your event log: list, look at, send again');
  events
    .command('list')
    .description('your events of the last 30 days, the newest first')
    .option('--object <id>', 'of this payment, binding or payout request')
    .option('--type <type>', 'such as payment.completed')
    .option('--status <status>', EVENT_STATUSES.join(', '))
    .option('--from <moment>', 'recorded at this moment (ISO 8601) or later')
    .option('--to <moment>', 'recorded before this moment')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the page before')
    .action(async (options: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const page = await withClient(profile(), (client) => client.listEvents(filterOf(options)));
      const rows = page.items.map((one) => [one.eventId, one.type, one.objectId, one.status, one.recordedAt]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no event' : [...table(rows), ...more], page);
    });
  events
    .command('get <eventId>')
    .description('an event with its body and its attempts')
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
    .description('have it sent again, also one that was kept and never sent')
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
  const known = EVENT_STATUSES.find((one) => one === status);
  if (status !== undefined && known === undefined) throw usage(`--status is one of ${EVENT_STATUSES.join(', ')}`);
  return {
    ...pageOptions(limit, pageToken),
    ...(object === undefined ? {} : { objectId: object }),
    ...(type === undefined ? {} : { type }),
    ...(known === undefined ? {} : { status: known }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
