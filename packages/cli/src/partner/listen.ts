import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CallbackKey } from '@pay/sdk/callback-envelope.ts';
import { verifyCallback } from '@pay/sdk/callbacks.ts';
import { isRecord } from '@pay/sdk/errors.ts';
import { contextOf } from '../context.ts';
import type { Output } from '../output.ts';
import type { Profile } from '../profile.ts';
import { forward } from './forward.ts';
import { addShownOptions, keysOf, listenUntil, show, type Shown, type ShownOptions } from './shown-callbacks.ts';
import { follow, type Message } from './stream.ts';

type Options = ShownOptions & { state?: string };

/** How often a receiver that does not answer 200 is tried, with a pause that doubles. */
const FORWARDS_MAX = 4;
const FORWARD_PAUSE_MS = 500;

/** `pay callbacks listen`: the partner's events as they happen, without an address. */
export function addListen(callbacks: Command): void {
  const listen = callbacks
    .command('listen')
    .description('print your events as they happen, verified, until Ctrl-C; needs no address and changes none')
    .option('--state <file>', 'keep the place there: the next start begins with what happened meanwhile');
  addShownOptions(listen).action(async (options: Options, command: Command) => {
    const { output, profile } = contextOf(command);
    await listenToEvents(profile(), options, output);
  });
}

async function listenToEvents(profile: Profile, options: Options, output: Output): Promise<void> {
  const keys = keysOf(profile, options.key);
  const { state } = options;
  const after = state !== undefined && existsSync(state) ? readFileSync(state, 'utf8').trim() : undefined;
  let isOpen = false;
  const onOpen = () => {
    if (!isOpen) output.note(`listening to ${profile.partnerID}${options.once === true ? '' : '; press Ctrl-C to stop'}`); // prettier-ignore
    isOpen = true;
  };
  await listenUntil(options, output, async (arrived, ended) => {
    for await (const message of follow(profile, { path: '/api/event-stream', after, ended, onOpen })) {
      const shown = await shownOf(message, keys, options.forwardTo, ended);
      show(output, shown, options.once === true);
      // After it was forwarded: one that a kill interrupts comes again.
      if (state !== undefined) keepPlace(state, message.id);
      if (shown.verified || keys.length === 0) arrived(shown);
      if (ended.aborted) break;
    }
  });
}

/** What to show of an event. Without a key it is shown as it came: the request for it was signed, and TLS says who answers. */
async function shownOf(
  { type, data }: Message,
  keys: readonly CallbackKey[],
  forwardTo: string | undefined,
  ended: AbortSignal,
): Promise<Shown> {
  const { eventId, headers, body }: Readonly<Record<string, unknown>> = isRecord(data) ? data : {};
  const text = String(body);
  const own: [string, string][] = Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const named = Object.fromEntries(own);
  const bytes = Buffer.from(text);
  const verified = verifyCallback(bytes, named, keys, new Date());
  const reason = keys.length === 0 ? 'no key: pass --key keyId:secret' : verified.ok ? '' : `${verified.reason}: ${verified.message}`; // prettier-ignore
  const shown = { eventId: String(eventId), type, body: text };
  if (!verified.ok && keys.length > 0) return { ...shown, verified: false, reason };
  const answered = forwardTo === undefined ? undefined : await forwardUntilConfirmed(forwardTo, named, bytes, ended);
  return {
    ...shown,
    verified: verified.ok,
    ...(verified.ok ? {} : { reason }),
    ...(answered === undefined ? {} : { answered }),
  };
}

/** The last answer's status; 502 if there was none. What is not confirmed can be sent again: `pay events replay`. */
async function forwardUntilConfirmed(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  ended: AbortSignal,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const status = (await forward(url, headers, body)) ?? 502;
    if (status === 200 || attempt === FORWARDS_MAX || ended.aborted) return status;
    await wait(FORWARD_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Written beside and renamed: a kill leaves the old place or the new one. */
function keepPlace(file: string, id: string): void {
  writeFileSync(`${file}.new`, `${id}\n`);
  renameSync(`${file}.new`, file);
}
