import type { CallbackHeaders, CallbackKey, VerifiedCallback } from './callback-envelope.ts';
import type { EventStore } from './event-store.ts';
import type { PartnerEvent } from './events.ts';

// The receiver rules, for whichever server reads the bytes: `callbacks.ts` (node:http, express), `fastify.ts`, `web.ts`.

export type ReceiverOptions<Transaction> = {
  readonly keys: readonly CallbackKey[] | (() => readonly CallbackKey[] | Promise<readonly CallbackKey[]>);
  readonly store: EventStore<Transaction>;
  /** Changes your order, in the transaction that remembers the event. Throws to get the event again. */
  readonly onEvent: (event: PartnerEvent, transaction: Transaction) => Promise<void>;
  /** Told about every answer that is not 200, so that somebody can look. Never gets a secret. */
  readonly onRefused?: (refusal: { readonly status: number; readonly message: string }) => void;
};

/** What came in. `readBody` reads the exact bytes once; undefined when there are more than `CALLBACK_BYTES_MAX`. */
export type Incoming = {
  readonly method: string | undefined;
  readonly headers: CallbackHeaders;
  readBody(): Promise<Uint8Array | undefined>;
};

export type Verify = (
  rawBody: Uint8Array,
  headers: CallbackHeaders,
  keys: readonly CallbackKey[],
  now: Date,
) => VerifiedCallback | Promise<VerifiedCallback>;

/** 256 KiB: events are a few kilobytes. */
export const CALLBACK_BYTES_MAX = 262_144;

/** What a receiver answers with. */
export const ANSWER_TYPE = 'text/plain; charset=utf-8';

/**
 * Verifies, stores and applies in one transaction, and says what to answer: 200, also for a repeat and for an event older than one
 * applied; 401 when not authentic; 500 when the event could not be applied.
 */
export async function receiveCallback<Transaction>(
  options: ReceiverOptions<Transaction>,
  verify: Verify,
  incoming: Incoming,
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, message } = await decide(options, verify, incoming).catch((error: unknown) => ({
    status: 500,
    message: error instanceof Error ? error.message : String(error),
  }));
  if (status !== 200) options.onRefused?.({ status, message });
  return { status, text: `${STATUS_TEXT[status] ?? 'error'}\n` };
}

/** What the sender is told. The reason of a refusal is for your log, not for whoever tries a forgery. */
const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'ok',
  400: 'not an event',
  401: 'not authentic',
  405: 'POST only',
  413: 'too large',
};

async function decide<Transaction>(
  options: ReceiverOptions<Transaction>,
  verify: Verify,
  incoming: Incoming,
): Promise<{ status: number; message: string }> {
  if (incoming.method !== 'POST') return { status: 405, message: `${String(incoming.method)} instead of POST` };
  const rawBody = await incoming.readBody();
  if (rawBody === undefined || rawBody.length > CALLBACK_BYTES_MAX) {
    return { status: 413, message: 'the body is too large' };
  }
  const keys = typeof options.keys === 'function' ? await options.keys() : options.keys;
  const verified = await verify(rawBody, incoming.headers, keys, new Date());
  if (!verified.ok) {
    // 401 or 403 for whatever is not signed as we sign. See
    // spec/service-contract#delivery-and-partner-response/receiver-rules-read-the-raw-body.
    return { status: verified.reason === 'malformed' ? 400 : 401, message: `${verified.reason}: ${verified.message}` };
  }
  const { event } = verified;
  const { eventId, aggregateVersion } = event;
  const aggregateId = aggregateOf(event.data) ?? eventId;
  await options.store.receive({ eventId, aggregateId, aggregateVersion }, (transaction) =>
    options.onEvent(event, transaction),
  );
  return { status: 200, message: 'ok' };
}

/** What an event is about: a payment (`orderId`), a binding, or a payout request. Undefined for what this version does not know. */
function aggregateOf(data: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof data['orderId'] === 'string') return `payment:${data['orderId']}`;
  if (typeof data['bindingId'] === 'string') return `binding:${data['bindingId']}`;
  return typeof data['withdrawalRequestId'] === 'string' ? `withdrawal:${data['withdrawalRequestId']}` : undefined;
}
