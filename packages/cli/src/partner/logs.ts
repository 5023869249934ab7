import type { Command } from 'commander';
import { isRecord } from '@pay/sdk/errors.ts';
import { follow } from '@pay/sdk/stream.ts';
import { contextOf, withClient } from '../context.ts';
import { table, type Output } from '../output.ts';
import { serviceOf } from '../profile.ts';

type ListOptions = { limit?: string; pageToken?: string; unverified?: true };

/** A request as the service lists it. */
type Logged = Readonly<Record<string, unknown>>;

/** `pay logs`: what this partner called, and why it was refused. */
export function addLogCommands(program: Command): void {
  const logs = program.command('logs').description('your requests as the service saw them (TEST)');
  logs
    .command('tail')
    .description('TEST: print your requests as they are answered, with the reason of each refusal, until Ctrl-C')
    .action(async (_options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const ended = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => {
          ended.abort();
        });
      let isOpen = false;
      const stream = { ...serviceOf(profile()), path: '/api/request-stream', after: undefined, ended: ended.signal };
      for await (const { data } of follow(stream)) {
        if (!isOpen) output.note('waiting for requests; press Ctrl-C to stop');
        isOpen = true;
        if (isRecord(data)) show(output, data);
      }
    });
  logs
    .command('list')
    .description('TEST: list your requests of the last day, newest first')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .option('--unverified', 'those that name your key without its signature')
    .action(async ({ limit, pageToken, unverified }: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const query = new URLSearchParams({
        ...(limit === undefined ? {} : { limit }),
        ...(pageToken === undefined ? {} : { pageToken }),
        ...(unverified === true ? { verified: 'false' } : {}),
      }).toString();
      const target = `/api/requests${query === '' ? '' : `?${query}`}`;
      const { json } = await withClient(profile(), (client) => client.request({ method: 'GET', target }));
      const { items, nextPageToken }: Logged = isRecord(json) ? json : {};
      const rows = Array.isArray(items) ? items.filter(isRecord).map(cellsOf) : [];
      const more = typeof nextPageToken === 'string' ? [`more: --page-token ${nextPageToken}`] : [];
      output.result(rows.length === 0 ? 'no request' : [...table(rows), ...more], json);
    });
}

const cellsOf = ({ at, method, path, status, code, durationMs, requestId }: Logged): string[] =>
  [at, method, path, status, code ?? '', `${String(durationMs)} ms`, requestId].map(String);

function show(output: Output, logged: Logged): void {
  if (output.isJson) {
    console.log(JSON.stringify(logged));
    return;
  }
  const { error, details } = logged;
  const reasons = Array.isArray(details) ? details.filter(isRecord) : [];
  console.log(cellsOf(logged).join('  '));
  if (typeof error === 'string') console.log(`  ${error}`);
  // The string that would have been signed has lines of its own.
  for (const { field, message } of reasons) console.log(`  ${String(field)}: ${String(message).replaceAll('\n', '␊\n    ')}`);
}
