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

/** The most entries of a header that are read: the service sends one, two during a rotation, and a stranger anything. */
export const SIGNATURES_MAX = 8;

/** The signatures in a header. Malformed ones are skipped. */
export function signaturesIn(header: string): readonly NamedSignature[] {
  return header.split(',', SIGNATURES_MAX).flatMap((entry) => {
    const [, keyId, hex] = /^\s*([^:\s]+):v1=([0-9a-f]{64})\s*$/.exec(entry) ?? [];
    return keyId === undefined || hex === undefined ? [] : [{ keyId, hex }];
  });
}

/**
 * Whether at least one signature by a known key verifies. Hashes the body once for each key that is named. Compares in
 * constant time. The caller checks freshness.
 */
export function callbackIsSigned(keys: readonly CallbackKey[], header: string, timestamp: string, body: Uint8Array): boolean {
  const signatures = signaturesIn(header);
  return keys.some(({ keyId, secret }) => {
    const own = signatures.filter((signature) => signature.keyId === keyId);
    if (own.length === 0) return false;
    const expected = Buffer.from(hmacHex(secret, timestamp, body), 'hex');
    return own.some(({ hex }) => timingSafeEqual(Buffer.from(hex, 'hex'), expected));
  });
}
