import type { Command } from 'commander';
import { TEST_AMOUNTS, TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';
import { contextOf, type Context } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { answerLines, table } from '../output.ts';

type FaultOptions = {
  route: string;
  kind?: string;
  times?: string;
  delay?: string;
  status?: string;
  operation?: string;
  clear?: boolean;
};

/** `pay sandbox`: controls the sandbox bank manually. TEST only. */
export function addSandboxCommands(program: Command): void {
  const sandbox = program.command('sandbox').description('play the sandbox bank (TEST)');
  sandbox
    .command('cards')
    .description('list the test cards, and the outcomes that the kopecks of an amount force without a card')
    .action((_options: unknown, command: Command) => {
      const cards = TEST_CARDS.map(({ number, brand, en }) => [number, brand, en]);
      const amounts = TEST_AMOUNTS.map(({ kopecks, en }) => [`.${String(kopecks)}`, '', en]);
      contextOf(command).output.result(table([...cards, ...amounts]), { cards: TEST_CARDS, amounts: TEST_AMOUNTS });
    });
  sandbox
    .command('decide <operationId> <answer>')
    .description('approve or decline a pending operation')
    .option('--reason <reason>', 'the reason for declining, such as INSUFFICIENT_FUNDS')
    .action(async (id: string, answer: string, options: { reason?: string }, command: Command) => {
      if (answer !== 'approve' && answer !== 'decline') throw usage('the answer must be approve or decline');
      const { reason } = options;
      const body = {
        status: answer === 'approve' ? 'APPROVED' : 'DECLINED',
        ...(reason === undefined ? {} : { reason }),
      };
      await control(contextOf(command), 'POST', `operations/${encodeURIComponent(id)}/decide`, body);
    });
  sandbox
    .command('faults')
    .description('list, set or clear faults of the bank')
    .option('--kind <kind>', 'set one: delay, delay_after, error, outage, drop, drop_after, duplicate')
    .option('--route <route>', 'for register, authorize, cancel, charge, refund, read or all', 'all')
    .option('--times <count>', 'how many calls it affects; default: 1, an outage until cleared')
    .option('--delay <ms>', 'for delay and delay_after')
    .option('--status <status>', 'for error and outage')
    .option('--operation <id>', 'only calls of this operation')
    .option('--clear', 'clear all')
    .action(async (options: FaultOptions, command: Command) => {
      const context = contextOf(command);
      if (options.clear === true) await control(context, 'DELETE', 'faults');
      else if (options.kind === undefined) await control(context, 'GET', 'faults');
      else await control(context, 'POST', 'faults', faultOf(options));
    });
  addClockCommands(sandbox);
  sandbox
    .command('reset')
    .description('clear all operations and faults of the bank, and return to real time')
    .action(async (_options: unknown, command: Command) => {
      await control(contextOf(command), 'POST', 'reset', {});
    });
}

/** `pay sandbox clock`: the current time of all services. */
function addClockCommands(sandbox: Command): void {
  const clock = sandbox.command('clock').description('the clock of all services (TEST)');
  clock
    .command('show', { isDefault: true })
    .description('show the time that all services use, and how far ahead it is')
    .action(async (_options: unknown, command: Command) => {
      await control(contextOf(command), 'GET', 'clock');
    });
  clock
    .command('advance <duration>')
    .description('move it forward by an ISO 8601 duration, such as P1M or PT30M')
    .action(async (advance: string, _options: unknown, command: Command) => {
      await control(contextOf(command), 'POST', 'clock', { advance });
    });
  clock
    .command('reset')
    .description('return to real time; anything scheduled later still waits')
    .action(async (_options: unknown, command: Command) => {
      await control(contextOf(command), 'POST', 'clock', { reset: true });
    });
}

function faultOf({ route, kind, times, delay, status, operation }: FaultOptions): Record<string, unknown> {
  const number = (name: string, text: string | undefined) => {
    if (text === undefined) return {};
    if (!/^\d+$/.test(text)) throw usage(`${name} must be a whole number`);
    return { [name]: Number(text) };
  };
  return {
    route,
    kind,
    ...number('times', times),
    ...number('delayMs', delay),
    ...number('status', status),
    ...(operation === undefined ? {} : { operationId: operation }),
  };
}

async function control({ output, profile }: Context, method: string, path: string, body?: unknown): Promise<void> {
  const { bankControlUrl, bankControlKey } = profile();
  if (bankControlUrl === undefined || bankControlKey === undefined) {
    throw usage('the profile has no bankControlUrl and bankControlKey: the sandbox bank exists in TEST only');
  }
  const headers = { Authorization: `Bearer ${bankControlKey}` };
  const answer = await fetch(new URL(`/control/${path}`, bankControlUrl), {
    method,
    ...(body === undefined ? { headers } : { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw new CliFault(EXIT.unreachable, `the sandbox bank does not respond at ${bankControlUrl}: ${String(error)}`);
  });
  const text = await answer.text();
  if (!answer.ok) throw new CliFault(EXIT.refused, `the bank responded with ${String(answer.status)}: ${text}`);
  const value: unknown = JSON.parse(text);
  output.result(answerLines(value), value);
}
