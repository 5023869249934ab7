import { createPrivateKey, createPublicKey, hash, sign as signWith, verify as verifyWith, type KeyObject } from 'node:crypto';
import { pkcs8Of, publicLineOf } from './key-text.ts';

const TYPE = 'ssh-ed25519';

/**
 * The 32 key bytes of an OpenSSH line `ssh-ed25519 <base64> [comment]`. The blob must be exactly two length-prefixed
 * strings, the type and the key, in canonical base64. Undefined for anything else. Source: RFC 8709, section 4.
 */
export function parseOpenSshKey(line: string): Buffer | undefined {
  const [type, text, ...comment] = line.split(' ');
  if (type !== TYPE || text === undefined || (comment.length > 0 && comment[0] === '')) return undefined;
  const blob = Buffer.from(text, 'base64');
  if (blob.toString('base64') !== text || blob.length !== 4 + TYPE.length + 4 + 32) return undefined;
  if (blob.readUInt32BE(0) !== TYPE.length || blob.toString('latin1', 4, 4 + TYPE.length) !== TYPE) return undefined;
  return blob.readUInt32BE(4 + TYPE.length) === 32 ? blob.subarray(8 + TYPE.length) : undefined;
}

/** The OpenSSH line of a public key, without a comment. */
export function renderOpenSshKey(publicKey: KeyObject): string {
  const { x } = publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('not an Ed25519 public key');
  return publicLineOf(Buffer.from(x, 'base64url'));
}

/** The SHA-256 fingerprint of an OpenSSH line, as `ssh-keygen -lf` prints it: `SHA256:` and unpadded base64. */
export function fingerprintOf(line: string): string {
  const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64');
  return `SHA256:${hash('sha256', blob, 'base64').replace(/=+$/, '')}`;
}

/** A key object for 32 public key bytes. Build it once and keep it: building it is half the cost of a verification. */
export function publicKeyOf(bytes: Buffer): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}

/** A private key of its 32 secret bytes. */
export function privateKeyOf(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8Of(secret)), format: 'der', type: 'pkcs8' });
}

/** The base64 Ed25519 signature of a text in UTF-8. */
export function signText(privateKey: KeyObject, text: string): string {
  return signWith(null, Buffer.from(text), privateKey).toString('base64');
}

/** Whether `signature` (64 bytes) is the key's signature of the text in UTF-8. */
export function verifyText(publicKey: KeyObject, text: string, signature: Buffer): boolean {
  return verifyBytes(publicKey, Buffer.from(text), signature);
}

/**
 * Whether `signature` is the key's signature of the message. Runs on the event loop: it takes a tenth of a millisecond,
 * and a round trip to the thread pool would cost more than that on top.
 */
export function verifyBytes(publicKey: KeyObject, message: Uint8Array, signature: Buffer): boolean {
  return signature.length === 64 && verifyWith(null, message, publicKey, signature);
}

/** The 64 bytes of a standard, padded base64 text; undefined for any other text. */
export function parseSignature(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
