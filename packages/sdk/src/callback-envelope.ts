import {
  SIGNATURE_HEADER,
  signaturesIn,
  TOLERANCE_SECONDS,
  type NamedSignature,
} from '@pay/signing/callback-signature.ts';
import { isRecord } from './errors.ts';
import type { PartnerEvent } from './events.ts';

// What is checked of a callback whoever computes the HMAC: node:crypto in `callbacks.ts`, WebCrypto in `web.ts`.

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

export type RefusedCallback = { readonly ok: false; readonly reason: CallbackFault; readonly message: string };
export type VerifiedCallback = { readonly ok: true; readonly event: PartnerEvent } | RefusedCallback;

/** What the headers claim: when it was signed, the header as it came, and its signatures by keys that are known. */
export type SignatureClaim = {
  readonly ok: true;
  readonly timestamp: string;
  readonly header: string;
  readonly signatures: readonly NamedSignature[];
};

/** Checks the headers: present, fresh, and signed by a key that is known. The signature itself comes next. */
export function readClaim(
  headers: CallbackHeaders,
  keys: readonly CallbackKey[],
  now: Date,
): SignatureClaim | RefusedCallback {
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const header = headerOf(headers, SIGNATURE_HEADER.toLowerCase());
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return refused('unsigned', 'X-Service-Timestamp is not a Unix time in seconds');
  }
  if (header === undefined) return refused('unsigned', `${SIGNATURE_HEADER} is missing`);
  const offSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (offSeconds > TOLERANCE_SECONDS) {
    return refused(
      'stale',
      `the timestamp is ${String(Math.round(offSeconds))} s off, more than ${String(TOLERANCE_SECONDS)}`,
    );
  }
  const named = header.split(',').map((entry) => entry.trim().split(':')[0]);
  if (!keys.some((key) => named.includes(key.keyId))) {
    return refused('unknown key', `signed with unknown keys: ${named.join(', ')}`);
  }
  return { ok: true, timestamp, header, signatures: signaturesIn(header) };
}

/** Reads the event of a body whose signature was verified. */
export function readSignedEvent(rawBody: Uint8Array, headers: CallbackHeaders): VerifiedCallback {
  const event = parseEvent(rawBody);
  if (event === undefined) return refused('malformed', 'the signed body is not an event of schemaVersion 1');
  if (headerOf(headers, 'x-service-event-id') !== event.eventId) {
    return refused('malformed', 'X-Service-Event-ID is not the eventId of the body');
  }
  return { ok: true, event };
}

export function badSignature(): RefusedCallback {
  return refused('bad signature', 'the signature does not match the body: was it parsed or rewritten on the way?');
}

/** A secret that is not what was issued is a mistake of this program, so it is thrown, not answered. */
export function wrongSecret(keyId: string): Error {
  return new Error(`the secret of callback key ${keyId} is not base64 of 32 bytes: pass it as it was issued`);
}

function refused(reason: CallbackFault, message: string): RefusedCallback {
  return { ok: false, reason, message };
}

/** One value; a header that came twice is no header. */
function headerOf(headers: CallbackHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

function parseEvent(rawBody: Uint8Array): PartnerEvent | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(rawBody));
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
