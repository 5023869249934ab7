import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  callbackIsSigned,
  callbackKey,
  signCallback,
  SIGNATURE_HEADER,
  TOLERANCE_SECONDS,
  type CallbackKey as DecodedKey,
} from '@pay/signing/callback-signature.ts';
import { isRecord } from './errors.ts';
import type { PartnerEvent } from './events.ts';
import type { EventStore } from './event-store.ts';

/** A callback key as it was issued: `secret` is the base64 text. During a rotation you have two. */
export type CallbackKey = { readonly keyId: string; readonly secret: string };

/** Headers as node:http, express or `fetch` hand them over. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a callback is not believed. `unsigned`: its time or its signature is missing, or cannot be read; `malformed`: it is
 * signed, and not an event; `stale`: the timestamp is more than five minutes off; `unknown key`: no signature names a key of yours;
 * `bad signature`: the body is not what was signed.
 */
export type CallbackFault = 'unsigned' | 'malformed' | 'stale' | 'unknown key' | 'bad signature';

export type VerifiedCallback =
  | { readonly ok: true; readonly event: PartnerEvent }
  | { readonly ok: false; readonly reason: CallbackFault; readonly message: string };

/**
 * Checks a callback: freshness, then the signature over the exact bytes, then the envelope. `rawBody` is what came in,
 * before any parser. An event type that this version does not know is verified like any other: have a default branch.
 * @throws Error when a key of yours is not base64 of 32 bytes.
 */
export function verifyCallback(
  rawBody: Uint8Array,
  headers: CallbackHeaders,
  keys: readonly CallbackKey[],
  now: Date,
): VerifiedCallback {
  const decoded = keys.map(decodeKey);
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const signature = headerOf(headers, SIGNATURE_HEADER.toLowerCase());
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return refused('unsigned', 'X-Service-Timestamp is not a Unix time in seconds');
  }
  if (signature === undefined) return refused('unsigned', `${SIGNATURE_HEADER} is missing`);
  const offSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (offSeconds > TOLERANCE_SECONDS) {
    return refused(
      'stale',
      `the timestamp is ${String(Math.round(offSeconds))} s off, more than ${String(TOLERANCE_SECONDS)}`,
    );
  }
  const named = signature.split(',').map((entry) => entry.trim().split(':')[0]);
  if (!decoded.some((key) => named.includes(key.keyId))) {
    return refused('unknown key', `signed with unknown keys: ${named.join(', ')}`);
  }
  if (!callbackIsSigned(decoded, signature, timestamp, rawBody)) {
    return refused('bad signature', 'the signature does not match the body: was it parsed or rewritten on the way?');
  }
  const event = parseEvent(rawBody);
  if (event === undefined) return refused('malformed', 'the signed body is not an event of schemaVersion 1');
  if (headerOf(headers, 'x-service-event-id') !== event.eventId) {
    return refused('malformed', 'X-Service-Event-ID is not the eventId of the body');
  }
  return { ok: true, event };
}

function refused(reason: CallbackFault, message: string): VerifiedCallback {
  return { ok: false, reason, message };
}

function decodeKey(key: CallbackKey): DecodedKey {
  const secret = Buffer.from(key.secret, 'base64');
  if (secret.length !== 32 || secret.toString('base64') !== key.secret) {
    throw new Error(`the secret of callback key ${key.keyId} is not base64 of 32 bytes: pass it as it was issued`);
  }
  return callbackKey(key.keyId, secret);
}

/** One value; a header that came twice is no header. */
function headerOf(headers: CallbackHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

function parseEvent(rawBody: Uint8Array): PartnerEvent | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(rawBody).toString('utf8'));
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The envelope is checked; `data` is what the service signed, and its types say what that is. */
function isEvent(value: unknown): value is PartnerEvent {
  return (
    isRecord(value) &&
    value['schemaVersion'] === 1 &&
    typeof value['eventId'] === 'string' &&
    typeof value['type'] === 'string' &&
    Number.isInteger(value['aggregateVersion']) &&
    typeof value['createdAt'] === 'string' &&
    isRecord(value['data'])
  );
}

/** What an event is about: a payment (`orderId`), a binding, or a payout request. Undefined for what this version does not know. */
function aggregateOf(data: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof data['orderId'] === 'string') return `payment:${data['orderId']}`;
  if (typeof data['bindingId'] === 'string') return `binding:${data['bindingId']}`;
  return typeof data['withdrawalRequestId'] === 'string' ? `withdrawal:${data['withdrawalRequestId']}` : undefined;
}

export type ReceiverOptions<Transaction> = {
  readonly keys: readonly CallbackKey[] | (() => readonly CallbackKey[] | Promise<readonly CallbackKey[]>);
  readonly store: EventStore<Transaction>;
  /** Changes your order, in the transaction that remembers the event. Throws to get the event again. */
  readonly onEvent: (event: PartnerEvent, transaction: Transaction) => Promise<void>;
  /** Told about every answer that is not 200, so that somebody can look. Never gets a secret. */
  readonly onRefused?: (refusal: { readonly status: number; readonly message: string }) => void;
};

/** Events are a few kilobytes. */
const CALLBACK_BYTES_MAX = 256 * 1024;

/**
 * A handler for node:http and express that follows the receiver rules: reads the raw bytes itself, verifies, stores and
 * applies in one transaction, then answers 200; 200 again for a repeat and for an event older than one applied; 401 when
 * not authentic; 500 when `onEvent` failed, so that the event comes again. Mount it before any body parser.
 */
export function callbackReceiver<Transaction>(
  options: ReceiverOptions<Transaction>,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const { status, message } = await receive(options, req).catch((error: unknown) => ({
      status: 500,
      message: error instanceof Error ? error.message : String(error),
    }));
    if (status !== 200) options.onRefused?.({ status, message });
    // What is left of a refused body is not read: the connection ends with the answer.
    if (!req.readableEnded) res.setHeader('Connection', 'close');
    res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${STATUS_TEXT[status] ?? 'error'}\n`);
  };
}

/** What the sender is told. The reason of a refusal is for your log, not for whoever tries a forgery. */
const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'ok',
  400: 'not an event',
  401: 'not authentic',
  405: 'POST only',
  413: 'too large',
};

async function receive<Transaction>(
  options: ReceiverOptions<Transaction>,
  req: IncomingMessage,
): Promise<{ status: number; message: string }> {
  if (req.method !== 'POST') return { status: 405, message: `${String(req.method)} instead of POST` };
  const rawBody = await readRawBody(req);
  if (rawBody === undefined) return { status: 413, message: 'the body is too large' };
  const keys = typeof options.keys === 'function' ? await options.keys() : options.keys;
  const verified = verifyCallback(rawBody, req.headers, keys, new Date());
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

/** Undefined for a body over the limit. @throws Error when something has read the body before. */
async function readRawBody(req: IncomingMessage): Promise<Buffer | undefined> {
  if (req.readableEnded || req.readableDidRead) {
    throw new Error('the body was already read: mount the callback receiver before express.json()');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    if (!Buffer.isBuffer(chunk)) throw new Error('the request has an encoding set: the body must arrive as bytes');
    size += chunk.length;
    if (size > CALLBACK_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A callback as the service would send it, for tests of your receiver. Signed with every key given, in that order. */
export function signTestCallback(
  event: PartnerEvent,
  keys: readonly CallbackKey[],
  now: Date,
): { headers: Record<string, string>; body: Buffer } {
  const body = Buffer.from(JSON.stringify(event));
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Event-ID': event.eventId,
      'X-Service-Event-Type': event.type,
      'X-Service-Timestamp': timestamp,
      [SIGNATURE_HEADER]: signCallback(keys.map(decodeKey), timestamp, body),
    },
  };
}
