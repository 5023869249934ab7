import type { CallbackHeaders, CallbackKey, VerifiedCallback } from './callback-envelope.ts';
import type { EventStore } from './event-store.ts';
import type { PartnerEvent } from './events.ts';

// The receiver rules, independent of the server that reads the bytes: `callbacks.ts` (node:http, Express), `fastify.ts`,
// `web.ts`.

export type ReceiverOptions<Transaction> = {
  readonly keys: readonly CallbackKey[] | (() => readonly CallbackKey[] | Promise<readonly CallbackKey[]>);
  readonly store: EventStore<Transaction>;
  /** Updates your order, in the transaction that records the event. Throw to have the event sent again. */
  readonly onEvent: (event: PartnerEvent, transaction: Transaction) => Promise<void>;
  /** Called for every response other than 200, so that you can log or alert. Never receives a secret. */
  readonly onRefused?: (refusal: { readonly status: number; readonly message: string }) => void;
};

/** The request. `readBody` reads the exact bytes once; undefined if there are more than `CALLBACK_BYTES_MAX`. */
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

/** The response of a receiver. */
export const ANSWER_TYPE = 'text/plain; charset=utf-8';

/**
 * Verifies, stores and applies in one transaction, and returns the response: 200, also for a repeat and for an event older
 * than one applied; 401 if not authentic; 500 if the event could not be applied.
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

/** What the sender sees. The reason for a refusal is for your log, not for a forger. */
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
    // 401 or 403 for anything without a valid signature of ours. See
    // spec/service-contract#delivery-and-partner-response/receiver-rules-read-the-raw-body.
    return { status: verified.reason === 'malformed' ? 400 : 401, message: `${verified.reason}: ${verified.message}` };
  }
  const { event } = verified;
  const { eventId, aggregateVersion } = event;
  const aggregateId = aggregateOf(event.data) ?? eventId;
  await options.store.receive({ eventId, aggregateId, aggregateVersion }, (transaction) => options.onEvent(event, transaction));
  return { status: 200, message: 'ok' };
}

/** What an event is about: a payment (`orderId`), a binding, or a payout request. Undefined for unknown kinds. */
function aggregateOf(data: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof data['orderId'] === 'string') return `payment:${data['orderId']}`;
  if (typeof data['bindingId'] === 'string') return `binding:${data['bindingId']}`;
  return typeof data['withdrawalRequestId'] === 'string' ? `withdrawal:${data['withdrawalRequestId']}` : undefined;
}
