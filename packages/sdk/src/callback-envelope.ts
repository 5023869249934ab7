import { SIGNATURE_HEADER, SIGNATURES_MAX, signaturesIn, TOLERANCE_SECONDS, type NamedSignature } from '@pay/signing/callback-signature.ts';
import { isRecord } from './errors.ts';
import type { PartnerEvent } from './events.ts';

// The checks of a callback that do not depend on who computes the HMAC: node:crypto in `callbacks.ts`, WebCrypto in `web.ts`.

/** A callback key as issued: `secret` is the base64 text. During a rotation you have two. */
export type CallbackKey = { readonly keyId: string; readonly secret: string };

/** Headers as node:http, Express or `fetch` provide them. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a callback failed verification. `unsigned`: its timestamp or signature is missing or unreadable; `malformed`: it is
 * signed but not an event; `stale`: the timestamp is more than five minutes off; `unknown key`: no signature names one of
 * your keys; `bad signature`: the body is not what was signed.
 */
export type CallbackFault = 'unsigned' | 'malformed' | 'stale' | 'unknown key' | 'bad signature';

export type RefusedCallback = { readonly ok: false; readonly reason: CallbackFault; readonly message: string };
export type VerifiedCallback = { readonly ok: true; readonly event: PartnerEvent } | RefusedCallback;

/** What the headers claim: the time of signing, the header as received, and its signatures by known keys. */
export type SignatureClaim = {
  readonly ok: true;
  readonly timestamp: string;
  readonly header: string;
  readonly signatures: readonly NamedSignature[];
};

/** Checks that the headers are present, fresh and name a known key. The signature itself is verified next. */
export function readClaim(headers: CallbackHeaders, keys: readonly CallbackKey[], now: Date): SignatureClaim | RefusedCallback {
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const header = headerOf(headers, SIGNATURE_HEADER.toLowerCase());
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return refused('unsigned', 'X-Service-Timestamp is not a Unix time in seconds');
  }
  if (header === undefined) return refused('unsigned', `${SIGNATURE_HEADER} is missing`);
  const offSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (offSeconds > TOLERANCE_SECONDS) {
    return refused('stale', `the timestamp is ${String(Math.round(offSeconds))} s off, more than ${String(TOLERANCE_SECONDS)}`);
  }
  const named = header.split(',', SIGNATURES_MAX).map((entry) => entry.trim().split(':')[0]);
  if (!keys.some((key) => named.includes(key.keyId))) {
    return refused('unknown key', `signed with unknown keys: ${named.join(', ')}`);
  }
  return { ok: true, timestamp, header, signatures: signaturesIn(header) };
}

/** Reads the event from a body whose signature was verified. */
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

/** A malformed secret is a bug in the receiving program, so it is thrown rather than returned. */
export function wrongSecret(keyId: string): Error {
  return new Error(`the secret of callback key ${keyId} is not base64 of 32 bytes: pass it as it was issued`);
}

function refused(reason: CallbackFault, message: string): RefusedCallback {
  return { ok: false, reason, message };
}

/** The single value of a header; a repeated header counts as missing. */
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

/** Checks the envelope only; `data` was signed by the service and is trusted to match its type. */
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
