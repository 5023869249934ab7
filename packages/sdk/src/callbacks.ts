import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  callbackIsSigned,
  callbackKey,
  signCallback,
  SIGNATURE_HEADER,
  type CallbackKey as DecodedKey,
} from '@pay/signing/callback-signature.ts';
import {
  badSignature,
  readClaim,
  readSignedEvent,
  wrongSecret,
  type CallbackHeaders,
  type CallbackKey,
  type VerifiedCallback,
} from './callback-envelope.ts';
import type { PartnerEvent } from './events.ts';
import { ANSWER_TYPE, CALLBACK_BYTES_MAX, receiveCallback, type ReceiverOptions } from './receiver.ts';

/**
 * Verifies a callback: freshness, then the signature over the exact bytes, then the envelope. `rawBody` is the body as
 * received, before any parser. Event types unknown to this version are verified like any other: add a default branch.
 * @throws Error if one of your keys is not base64 of 32 bytes.
 */
export function verifyCallback(rawBody: Uint8Array, headers: CallbackHeaders, keys: readonly CallbackKey[], now: Date): VerifiedCallback {
  const decoded = keys.map(decodeKey);
  const claim = readClaim(headers, keys, now);
  if (!claim.ok) return claim;
  if (!callbackIsSigned(decoded, claim.header, claim.timestamp, rawBody)) return badSignature();
  return readSignedEvent(rawBody, headers);
}

function decodeKey(key: CallbackKey): DecodedKey {
  const secret = Buffer.from(key.secret, 'base64');
  if (secret.length !== 32 || secret.toString('base64') !== key.secret) throw wrongSecret(key.keyId);
  return callbackKey(key.keyId, secret);
}

/**
 * A handler for node:http and Express that follows the receiver rules: reads the raw bytes itself, verifies, stores and
 * applies in one transaction, then answers 200. Also 200 for a repeat and for an event older than one applied; 401 if
 * not authentic; 500 if `onEvent` failed, so that the event is sent again. Mount it before any body parser except
 * `express.raw`, whose bytes it accepts.
 */
export function callbackReceiver<Transaction>(
  options: ReceiverOptions<Transaction>,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const { method, headers } = req;
    const incoming = { method, headers, readBody: () => readRawBody(req) };
    const { status, text } = await receiveCallback(options, verifyCallback, incoming);
    // The rest of a refused body is not read: the connection is closed after the response.
    if (!req.readableEnded) res.setHeader('Connection', 'close');
    res.writeHead(status, { 'Content-Type': ANSWER_TYPE }).end(text);
  };
}

/** Undefined for a body over the limit. @throws Error if the body was already read and its bytes are gone. */
async function readRawBody(req: IncomingMessage): Promise<Uint8Array | undefined> {
  if ('body' in req && req.body instanceof Uint8Array) return req.body;
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

/**
 * A callback as the service would send it, for testing your receiver. Signed with each of the given keys, in that
 * order.
 */
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
