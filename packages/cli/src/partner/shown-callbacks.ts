import { Option, type Command } from 'commander';
import type { CallbackKey } from '@pay/sdk/callback-envelope.ts';
import { EVENT_TYPES } from '@pay/sdk/types.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import type { Output } from '../output.ts';
import type { Profile } from '../profile.ts';

/** The options of every command that shows callbacks as they arrive. */
export type ShownOptions = {
  readonly forwardTo?: string;
  readonly once?: boolean;
  readonly expect?: string;
  readonly timeout?: string;
  readonly key?: string[];
};

/** The parts of a callback that are shown. `answered`: what it was answered with, or what `--forward-to` got. */
export type Shown = {
  readonly verified: boolean;
  readonly reason?: string;
  readonly eventId: string;
  readonly type: string;
  readonly answered?: number;
  readonly body: string;
};

export function addShownOptions(command: Command): Command {
  return command
    .option('--forward-to <url>', 'forward each verified callback byte for byte')
    .option('--key <keyId:secret...>', 'callback keys; default: those of the profile')
    .option('--once', 'stop after the first verified callback that matches')
    .addOption(new Option('--expect <type>', 'with --once: wait for this event type, such as payment.completed').choices(EVENT_TYPES))
    .option('--timeout <seconds>', 'with --once: give up after this (exit status 5)');
}

/** The keys that were given, else those of the profile. */
export function keysOf(profile: Profile, given: readonly string[] | undefined): readonly CallbackKey[] {
  return given === undefined
    ? profile.callbackKeys
    : given.map((text) => {
        const colon = text.indexOf(':');
        if (colon < 1) throw usage('--key must be keyId:secret');
        return { keyId: text.slice(0, colon), secret: text.slice(colon + 1) };
      });
}

/**
 * Runs `listen` until Ctrl-C, the timeout, or the callback that `--once` waits for, which is printed. `listen` reports those
 * that count, and ends when `ended` is aborted.
 * @throws CliFault 5 if it did not come in time
 */
export async function listenUntil(
  options: ShownOptions,
  output: Output,
  listen: (arrived: (shown: Shown) => void, ended: AbortSignal) => Promise<void>,
): Promise<void> {
  const timeoutMs = options.timeout === undefined ? undefined : secondsOf(options.timeout) * 1_000;
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  let received: Shown | undefined;
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  try {
    await listen((shown) => {
      const isExpected = options.expect === undefined || shown.type === options.expect;
      if (options.once !== true || !isExpected || received !== undefined) return;
      received = shown;
      output.result(shown.body, shown);
      end();
    }, ended.signal);
  } finally {
    clearTimeout(timer);
  }
  if (options.once === true && received === undefined) {
    throw new CliFault(EXIT.timeout, `no ${options.expect ?? 'callback'} within ${options.timeout ?? '?'} s`);
  }
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw usage('--timeout must be a number of seconds');
  return seconds;
}

/** Prints one callback. */
export function show(output: Output, shown: Shown, isOnce: boolean): void {
  const { verified, reason, type, answered, body } = shown;
  const answer = answered === undefined ? '' : `  answered ${String(answered)}`;
  const line = `${verified ? 'verified' : `NOT VERIFIED (${reason ?? ''})`}  ${type}${answer}`;
  if (isOnce) output.note(line);
  else if (output.isJson) console.log(JSON.stringify(shown));
  else console.log(`${line}\n${body}\n`);
}
