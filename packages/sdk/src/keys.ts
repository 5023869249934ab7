import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fingerprintOf, parseOpenSshKey, renderOpenSshKey } from '@pay/signing/ed25519.ts';

/** A key pair in the formats that this API requires. */
export type KeyPair = {
  /** PKCS#8. Stays on the partner's backend. */
  readonly privateKeyPem: string;
  /** The OpenSSH line to register and to send with every request. */
  readonly publicKey: string;
  /** `SHA256:…`, for comparing keys by voice or chat. */
  readonly fingerprint: string;
};

/** A new Ed25519 pair. */
export function generateKeys(): KeyPair {
  return pairOf(generateKeyPairSync('ed25519').privateKey);
}

function pairOf(privateKey: KeyObject): KeyPair {
  const publicKey = renderOpenSshKey(createPublicKey(privateKey));
  const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { privateKeyPem, publicKey, fingerprint: fingerprintOf(publicKey) };
}

/** What a key file contains, without its secret part. */
export type InspectedKey = {
  readonly kind: 'PKCS#8 private key' | 'OpenSSH private key' | 'OpenSSH public key' | 'SPKI public key';
  readonly publicKey: string;
  readonly fingerprint: string;
  /** Whether the SDK accepts this file as is. */
  readonly isUsableAs: 'private key' | 'public key' | 'nothing: convert it';
};

/** Identifies a key file. @throws Error that says what is wrong with it. */
export function inspectKey(text: string): InspectedKey {
  const trimmed = text.trim();
  if (trimmed.startsWith('ssh-')) {
    const [type = '', blob = ''] = trimmed.split(' ');
    if (type !== 'ssh-ed25519') throw new Error(`this is a key of type ${type}; the API accepts ssh-ed25519 only`);
    const publicKey = `${type} ${blob}`;
    if (parseOpenSshKey(publicKey) === undefined) throw new Error('this OpenSSH line is corrupt');
    return { kind: 'OpenSSH public key', publicKey, fingerprint: fingerprintOf(publicKey), isUsableAs: 'public key' };
  }
  if (trimmed.startsWith(OPENSSH_BEGIN)) {
    const { publicKey, fingerprint } = convertKey(text);
    return { kind: 'OpenSSH private key', publicKey, fingerprint, isUsableAs: 'nothing: convert it' };
  }
  if (trimmed.startsWith('-----BEGIN PUBLIC KEY-----')) {
    const publicKey = renderOpenSshKey(ed25519(createPublicKey(trimmed)));
    return {
      kind: 'SPKI public key',
      publicKey,
      fingerprint: fingerprintOf(publicKey),
      isUsableAs: 'nothing: convert it',
    };
  }
  const { publicKey, fingerprint } = convertKey(text);
  return { kind: 'PKCS#8 private key', publicKey, fingerprint, isUsableAs: 'private key' };
}

/**
 * The key pair from a private key file: PKCS#8 PEM, or OpenSSH's own format, which `ssh-keygen` writes and Node cannot
 * read.
 * @throws Error if it is encrypted, of another type, or corrupt.
 */
export function convertKey(text: string): KeyPair {
  const trimmed = text.trim();
  if (trimmed.startsWith(OPENSSH_BEGIN)) return pairOf(readOpenSshPrivateKey(trimmed));
  if (trimmed.startsWith('-----BEGIN ENCRYPTED PRIVATE KEY-----')) {
    throw new Error('this PKCS#8 key is encrypted: `openssl pkcs8 -in FILE -out NEW` removes the passphrase');
  }
  if (!trimmed.startsWith('-----BEGIN PRIVATE KEY-----')) {
    throw new Error('this is neither a PKCS#8 PEM (BEGIN PRIVATE KEY) nor an OpenSSH private key');
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(trimmed);
  } catch (cause) {
    throw new Error('this PKCS#8 PEM is corrupt', { cause });
  }
  return pairOf(ed25519(key));
}

function ed25519(key: KeyObject): KeyObject {
  const type = key.asymmetricKeyType;
  if (type !== 'ed25519') throw new Error(`this is a key of type ${String(type)}; the API accepts Ed25519 only`);
  return key;
}

const OPENSSH_BEGIN = '-----BEGIN OPENSSH PRIVATE KEY-----';
const OPENSSH_END = '-----END OPENSSH PRIVATE KEY-----';
const OPENSSH_MAGIC = 'openssh-key-v1\0';
/** The fixed prefix of a PKCS#8 Ed25519 key; the 32 secret bytes follow. Source: RFC 8410, section 7. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Source: OpenSSH, PROTOCOL.key. */
function readOpenSshPrivateKey(pem: string): KeyObject {
  const end = pem.indexOf(OPENSSH_END);
  if (end === -1) throw new Error('this OpenSSH private key is truncated');
  const blob = Buffer.from(pem.slice(OPENSSH_BEGIN.length, end), 'base64');
  if (blob.toString('latin1', 0, OPENSSH_MAGIC.length) !== OPENSSH_MAGIC)
    throw new Error('this OpenSSH key is corrupt');
  const outer = reader(blob.subarray(OPENSSH_MAGIC.length));
  const cipher = outer.string().toString('latin1');
  if (cipher !== 'none') {
    throw new Error('this OpenSSH key is encrypted: `ssh-keygen -p -N "" -f COPY` removes the passphrase of a copy');
  }
  outer.string(); // The key derivation function and its options: none, because the cipher is none.
  outer.string();
  if (outer.number() !== 1) throw new Error('this OpenSSH file must hold exactly one key');
  outer.string(); // The public key, which is repeated below.
  const inner = reader(outer.string());
  if (inner.number() !== inner.number()) throw new Error('this OpenSSH key is corrupt');
  const type = inner.string().toString('latin1');
  if (type !== 'ssh-ed25519') throw new Error(`this is a key of type ${type}; the API accepts ssh-ed25519 only`);
  const publicBytes = inner.string();
  const secret = inner.string();
  if (secret.length !== 64 || !secret.subarray(32).equals(publicBytes)) throw new Error('this OpenSSH key is corrupt');
  const der = Buffer.concat([PKCS8_PREFIX, secret.subarray(0, 32)]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** SSH's wire format: four-byte numbers, and strings prefixed with their length. */
function reader(bytes: Buffer): { number(): number; string(): Buffer } {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('this OpenSSH key is truncated');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = () => take(4).readUInt32BE(0);
  return { number, string: () => take(number()) };
}
