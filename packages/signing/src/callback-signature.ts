import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/** The header that carries the signatures of a callback. See spec/service-contract#headers. */
export const SIGNATURE_HEADER = 'X-Service-Signature';
/** How far X-Service-Timestamp may be off, both ways. See spec/decisions#clock-tolerance-of-receivers. */
export const TOLERANCE_SECONDS = 300;

/**
 * A callback key: its id and its secret. The secret is a key object that is built once: signing from raw bytes takes
 * four times as long.
 */
export type CallbackKey = { readonly keyId: string; readonly secret: KeyObject };

/** A callback key from the 32 bytes of its secret. */
export function callbackKey(keyId: string, secret: Buffer): CallbackKey {
  return { keyId, secret: createSecretKey(secret) };
}

function hmacHex(secret: KeyObject, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** The value of X-Service-Signature: one `keyId:v1=<hex>` per key, in the given order (newest first). */
export function signCallback(keys: readonly CallbackKey[], timestamp: string, body: Uint8Array): string {
  return keys.map((key) => `${key.keyId}:v1=${hmacHex(key.secret, timestamp, body)}`).join(',');
}

/** One signature of the header; `hex` has 64 digits. */
export type NamedSignature = { readonly keyId: string; readonly hex: string };

/** The signatures in a header. Malformed ones are skipped. */
export function signaturesIn(header: string): readonly NamedSignature[] {
  return header.split(',').flatMap((entry) => {
    const [, keyId, hex] = /^\s*([^:\s]+):v1=([0-9a-f]{64})\s*$/.exec(entry) ?? [];
    return keyId === undefined || hex === undefined ? [] : [{ keyId, hex }];
  });
}

/** Whether at least one signature by a known key verifies. Compares in constant time. The caller checks freshness. */
export function callbackIsSigned(
  keys: readonly CallbackKey[],
  header: string,
  timestamp: string,
  body: Uint8Array,
): boolean {
  return signaturesIn(header).some(({ keyId, hex }) => {
    const key = keys.find((known) => known.keyId === keyId);
    if (key === undefined) return false;
    return timingSafeEqual(Buffer.from(hex, 'hex'), Buffer.from(hmacHex(key.secret, timestamp, body), 'hex'));
  });
}
