import { verifyCallback } from './callbacks.ts';
import type { CallbackKey } from './callback-envelope.ts';
import type { ClientOptions } from './client.ts';
import { isRecord } from './errors.ts';
import type { PartnerEvent } from './events.ts';
import { readOrigin } from './http.ts';
import { readIdentity } from './sign.ts';
import { follow, type Message } from './stream.ts';

/** An event of the stream. The first one that arrives has no event: it says where the stream begins. */
export type StreamedEvent = {
  /** Where the stream is now: pass it as `after` to continue behind this event, also after a restart. */
  readonly place: string;
  readonly event: PartnerEvent | undefined;
};

export type StreamOptions = Pick<ClientOptions, 'baseUrl' | 'partnerID' | 'publicKey' | 'privateKeyPem'> & {
  /** Those of your receiver: each event is verified. Two during a rotation. */
  readonly keys: readonly CallbackKey[];
  /** A `place`: continues behind it. Without it the stream begins with what happens now. */
  readonly after?: string;
  /** Ends the stream, and with it the loop. */
  readonly signal?: AbortSignal;
};

/**
 * Your events as they are stored, verified: `for await (const { place, event } of streamEvents({ …, keys }))`. For programs without an
 * address:
 * development, tests, a tool of your own. Callbacks are sent all the same. It continues through every break where it was; an event counts
 * as taken when the loop asks for the next one. Events may come out of order, and again after a restart: compare `eventId` and
 * `aggregateVersion`, as with callbacks. Source: decisions/event-stream.
 * @throws ApiError if the stream is refused, NoAnswerError if nobody answers at first, Error if an event is signed with none of the keys
 */
export async function* streamEvents(options: StreamOptions): AsyncGenerator<StreamedEvent, void, undefined> {
  const { baseUrl, keys, after, signal } = options;
  // Also when the loop is left: its connection is closed then.
  const left = new AbortController();
  const ended = signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]);
  const service = { origin: readOrigin(baseUrl), identity: readIdentity(options) };
  let isOpen = false;
  let wasReadAnew = false;
  try {
    for await (const message of follow({ ...service, path: '/api/event-stream', after, ended })) {
      if (message.data === undefined) {
        if (!isOpen) yield { place: message.id, event: undefined };
        isOpen = true;
        continue;
      }
      const verified = verify(message, keys);
      // It may have waited here until its signature was stale: it is read once more.
      if (!verified.ok && !wasReadAnew) {
        wasReadAnew = true;
        message.again();
        continue;
      }
      if (!verified.ok) throw new Error(`${message.type} is not verified: ${verified.message}`);
      wasReadAnew = false;
      yield { place: message.id, event: verified.event };
    }
  } finally {
    left.abort();
  }
}

function verify({ data }: Message, keys: readonly CallbackKey[]) {
  const { headers, body }: Readonly<Record<string, unknown>> = isRecord(data) ? data : {};
  const named: [string, string][] = Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return verifyCallback(Buffer.from(String(body)), Object.fromEntries(named), keys, new Date());
}
