import { canonicalStringOfHash } from '@pay/signing/canonical-request.ts';
import { bytesOfBase64, NO_PAIR, pkcs8Of, publicLineOfText, secretOfText } from '@pay/signing/key-text.ts';
import {
  badSignature,
  readClaim,
  readSignedEvent,
  wrongSecret,
  type CallbackHeaders,
  type CallbackKey,
  type VerifiedCallback,
} from './callback-envelope.ts';
import { ANSWER_TYPE, CALLBACK_BYTES_MAX, receiveCallback, type ReceiverOptions } from './receiver.ts';

// Signing and verification with WebCrypto: for runtimes without node:crypto, and for Request/Response handlers.

/** Who signs, in the formats of `createClient`. */
export type SignerOptions = {
  readonly partnerID: string;
  /** The OpenSSH line, as registered. */
  readonly publicKey: string;
  /** PKCS#8 PEM, or OpenSSH's own format. Never put it into a page that others can open: in browsers, use TEST keys only. */
  readonly privateKeyPem: string;
};

/** A request to sign: `target` is path and query exactly as sent, `body` the exact bytes. */
export type RequestToSign = {
  readonly method: string;
  readonly target: string;
  /** The value of the Idempotency-Key header, if one is sent. */
  readonly idempotencyKey?: string;
  readonly body?: Uint8Array;
};

/** The value of the Authorization header of one attempt, and the string that was signed. */
export type SignedAttempt = { readonly authorization: string; readonly canonical: string };

/**
 * Reads a key pair and returns a function that signs with it. Each call signs one attempt, with its own timestamp and
 * nonce: sign again to repeat a request.
 * @throws Error that says what a text is and what to give instead, or that the keys do not match
 */
export async function createSigner(options: SignerOptions): Promise<(request: RequestToSign, now: Date) => Promise<SignedAttempt>> {
  const privateKey = await importPrivateKey(options.privateKeyPem);
  const key = publicLineOfText(options.publicKey);
  const publicKey = await importPublicKey(key);
  const probe = new TextEncoder().encode('one pair');
  const isPair = await crypto.subtle.verify(ED25519, publicKey, await crypto.subtle.sign(ED25519, privateKey, probe), probe);
  if (!isPair) throw new Error(NO_PAIR);
  const { partnerID } = options;
  return async ({ method, target, idempotencyKey = '', body = new Uint8Array() }, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const nonce = hexOf(crypto.getRandomValues(new Uint8Array(16)));
    const bodySha256 = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(body))));
    const canonical = canonicalStringOfHash({ timestamp, nonce, method, target, idempotencyKey }, bodySha256);
    const signature = await crypto.subtle.sign(ED25519, privateKey, new TextEncoder().encode(canonical));
    const sign = btoa(String.fromCharCode(...new Uint8Array(signature)));
    return { authorization: JSON.stringify({ partnerID, key, sign, timestamp, nonce }), canonical };
  };
}

/** Like `verifyCallback` of the main entry, with WebCrypto. @throws Error if one of your keys is not base64 of 32 bytes. */
export async function verifyCallback(
  rawBody: Uint8Array,
  headers: CallbackHeaders,
  keys: readonly CallbackKey[],
  now: Date,
): Promise<VerifiedCallback> {
  const secrets = new Map(keys.map((key) => [key.keyId, secretOf(key)]));
  const claim = readClaim(headers, keys, now);
  if (!claim.ok) return claim;
  const before = new TextEncoder().encode(`${claim.timestamp}.`);
  const signed = new Uint8Array(before.length + rawBody.length);
  signed.set(before);
  signed.set(rawBody, before.length);
  for (const [keyId, secret] of secrets) {
    const own = claim.signatures.filter((signature) => signature.keyId === keyId);
    if (own.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', secret, HMAC, false, ['sign']);
    const expected = hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)));
    if (own.some(({ hex }) => isSame(hex, expected))) return readSignedEvent(rawBody, headers);
  }
  return badSignature();
}

/** Compares two texts of one length in constant time: WebCrypto has no function for it. */
function isSame(given: string, expected: string): boolean {
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

/**
 * A receiver for frameworks that pass a Request and expect a Response: a Next route handler
 * (`export const POST = callbackRoute(…)`), Bun, Deno, an edge function. It responds as `callbackReceiver` of the main
 * entry does.
 */
export function callbackRoute<Transaction>(options: ReceiverOptions<Transaction>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, headers } = request;
    const incoming = { method, headers, readBody: () => readRawBody(request) };
    const { status, text } = await receiveCallback(options, verifyCallback, incoming);
    return new Response(text, { status, headers: { 'Content-Type': ANSWER_TYPE } });
  };
}

const ED25519 = { name: 'Ed25519' };
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

const importPrivateKey = (text: string) => crypto.subtle.importKey('pkcs8', pkcs8Of(secretOfText(text)), ED25519, false, ['sign']);

/** The last 32 bytes of an OpenSSH line are the key. */
const importPublicKey = (line: string) => {
  const blob = bytesOfBase64(line.split(' ')[1] ?? '') ?? new Uint8Array();
  return crypto.subtle.importKey('raw', blob.subarray(-32), ED25519, false, ['verify']);
};

function secretOf(key: CallbackKey): Uint8Array<ArrayBuffer> {
  const secret = bytesOfBase64(key.secret);
  if (secret?.length !== 32) throw wrongSecret(key.keyId);
  return secret;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Undefined for a body over the limit. @throws Error if the body was already read. */
async function readRawBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) throw new Error('the body was already read: give the request to callbackRoute unread');
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    size += next.value.length;
    if (size > CALLBACK_BYTES_MAX) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
