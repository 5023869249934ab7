import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CallbackKey } from '@pay/sdk/callback-envelope.ts';
import { verifyCallback } from '@pay/sdk/callbacks.ts';
import { isRecord } from '@pay/sdk/errors.ts';
import { follow, type Message } from '@pay/sdk/stream.ts';
import { contextOf } from '../context.ts';
import { CliFault, EXIT } from '../fault.ts';
import type { Output } from '../output.ts';
import { serviceOf, type Profile } from '../profile.ts';
import { forward } from './forward.ts';
import { addShownOptions, keysOf, listenUntil, show, type Shown, type ShownOptions } from './shown-callbacks.ts';

type Options = ShownOptions & { state?: string };

/** How often an event is forwarded to a receiver that does not answer 200, if no place is kept for it. */
const FORWARDS_MAX = 4;

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
  await listenUntil(options, output, async (arrived, ended) => {
    const take = taker(options, keys, output);
    for await (const message of follow({ ...serviceOf(profile), path: '/api/event-stream', after, ended })) {
      const shown = message.data === undefined ? undefined : await take(message);
      if (shown === 'again') {
        message.again();
        continue;
      }
      if (shown !== undefined) {
        show(output, shown, options.once === true);
        if (shown.verified || keys.length === 0) arrived(shown);
      }
      // Last: what a kill interrupts comes again. Also where the stream begins, or the next start would miss what happens before it.
      if (state !== undefined) keepPlace(state, message.id);
      if (!isOpen) output.note(`listening to ${profile.partnerID}${options.once === true ? '' : '; press Ctrl-C to stop'}`);
      isOpen = true;
    }
  });
}

/**
 * Verifies and forwards events, one after the other; `again` asks for the same one once more. Where a place is kept it moves
 * only behind what the receiver took; without one, an event that is not taken is passed over.
 */
function taker({ state, forwardTo }: Options, keys: readonly CallbackKey[], output: Output) {
  let forwards = 0;
  let wasReadAnew = false;
  /** @throws CliFault 1 if a place is kept and the event does not verify */
  return async (message: Message): Promise<Shown | 'again'> => {
    const shown = await shownOf(message, keys, forwardTo);
    const { verified, answered, eventId, type, reason } = shown;
    if (!verified && keys.length > 0) {
      // It may have waited here until its signature was stale, as on a laptop that slept.
      wasReadAnew = !wasReadAnew;
      if (wasReadAnew) return 'again';
      if (state === undefined) return shown;
      throw new CliFault(
        EXIT.refused,
        `${type} ${eventId} is not verified (${reason ?? ''}); the place stays before it: start again with the right --key`,
      );
    }
    wasReadAnew = false;
    forwards += 1;
    if (answered !== undefined && answered !== 200 && (state !== undefined || forwards < FORWARDS_MAX)) {
      if (state !== undefined && forwards === 1)
        output.warn(`${type} ${eventId} was answered ${String(answered)}: it is forwarded again until the answer is 200`);
      return 'again';
    }
    forwards = 0;
    return shown;
  };
}

/** What to show of an event. Without a key it is shown as it came: the request for it was signed, and TLS says who answers. */
async function shownOf({ type, data }: Message, keys: readonly CallbackKey[], forwardTo: string | undefined): Promise<Shown> {
  const { eventId, headers, body }: Readonly<Record<string, unknown>> = isRecord(data) ? data : {};
  const text = String(body);
  const own: [string, string][] = Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const named = Object.fromEntries(own);
  const bytes = Buffer.from(text);
  const verified = verifyCallback(bytes, named, keys, new Date());
  const reason = keys.length === 0 ? 'no key: pass --key keyId:secret' : verified.ok ? '' : `${verified.reason}: ${verified.message}`;
  const shown = { eventId: String(eventId), type, body: text };
  if (!verified.ok && keys.length > 0) return { ...shown, verified: false, reason };
  const answered = forwardTo === undefined ? undefined : ((await forward(forwardTo, named, bytes)) ?? 502);
  return {
    ...shown,
    verified: verified.ok,
    ...(verified.ok ? {} : { reason }),
    ...(answered === undefined ? {} : { answered }),
  };
}

/** Written beside and renamed: a kill leaves the old place or the new one. */
function keepPlace(file: string, id: string): void {
  writeFileSync(`${file}.new`, `${id}\n`);
  renameSync(`${file}.new`, file);
}
