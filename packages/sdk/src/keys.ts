import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fingerprintOf, privateKeyOf, renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { publicLineOfText, secretOfText } from '@pay/signing/key-text.ts';

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
  /** What the SDK takes this file for, as it is. */
  readonly isUsableAs: 'private key' | 'public key';
};

/** Identifies a key file. @throws Error that says what is wrong with it. */
export function inspectKey(text: string): InspectedKey {
  const isPublic = !text.includes('PRIVATE KEY-----') && /\b(?:ssh|ecdsa|sk)-|PUBLIC KEY-----/.test(text);
  const publicKey = isPublic ? publicLineOfText(text) : convertKey(text).publicKey;
  const fingerprint = fingerprintOf(publicKey);
  if (!isPublic) {
    const kind = text.includes('BEGIN OPENSSH') ? 'OpenSSH private key' : 'PKCS#8 private key';
    return { kind, publicKey, fingerprint, isUsableAs: 'private key' };
  }
  const kind = text.includes('BEGIN PUBLIC KEY') ? 'SPKI public key' : 'OpenSSH public key';
  return { kind, publicKey, fingerprint, isUsableAs: 'public key' };
}

/**
 * The key pair from the text of a private key file: PKCS#8 PEM, or OpenSSH's own format, which `ssh-keygen` writes.
 * @throws Error if it is encrypted, of another type, or damaged.
 */
export function convertKey(text: string): KeyPair {
  return pairOf(privateKeyOf(secretOfText(text)));
}
