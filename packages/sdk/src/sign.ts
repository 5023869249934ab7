import { randomBytes, type KeyObject } from 'node:crypto';
import { canonicalString, type SignedParts } from '@pay/signing/canonical-request.ts';
import { privateKeyOf, renderOpenSshKey, signText } from '@pay/signing/ed25519.ts';
import { createPublicKey } from 'node:crypto';

/** Who signs. `publicKey` is the OpenSSH line exactly as registered. */
export type Identity = {
  readonly partnerID: string;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
};

/** What is signed, apart from the timestamp and the nonce, which are new for every attempt. */
export type Unsigned = Pick<SignedParts, 'method' | 'target' | 'idempotencyKey' | 'body'>;

/** A signed request: the value of its Authorization header, and the string that was signed. */
export type Signed = { readonly authorization: string; readonly canonical: string };

/**
 * Reads an identity and checks that the two keys form a pair: a mismatch would otherwise only show up as a 401.
 * @throws Error if the private key is not an Ed25519 PKCS#8 PEM, or does not match `publicKey`.
 */
export function readIdentity(given: { partnerID: string; publicKey: string; privateKeyPem: string }): Identity {
  let privateKey: KeyObject;
  try {
    privateKey = privateKeyOf(given.privateKeyPem.trim());
  } catch (cause) {
    throw new Error('privateKeyPem is not a PKCS#8 PEM; `pay keys convert` makes one from an OpenSSH private key', {
      cause,
    });
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('privateKeyPem is not an Ed25519 key');
  const [type, blob] = renderOpenSshKey(createPublicKey(privateKey)).split(' ');
  // An editor may have put a byte order mark before it, which trim takes for a space, and its file has a line feed at the end.
  const publicKey = given.publicKey.trim();
  const [givenType, givenBlob] = publicKey.split(' ');
  if (type !== givenType || blob !== givenBlob) throw new Error('publicKey and privateKeyPem do not match');
  return { partnerID: given.partnerID, publicKey, privateKey };
}

/** Unix time in whole seconds and 128 random bits: what makes each attempt unique. */
export function freshMoment(now: Date): { timestamp: string; nonce: string } {
  return { timestamp: String(Math.floor(now.getTime() / 1000)), nonce: randomBytes(16).toString('hex') };
}

/** Signs one attempt. See spec/service-contract#authentication. */
export function signRequest(
  identity: Identity,
  request: Unsigned,
  moment: { readonly timestamp: string; readonly nonce: string },
): Signed {
  const canonical = canonicalString({ ...request, ...moment });
  const authorization = JSON.stringify({
    partnerID: identity.partnerID,
    key: identity.publicKey,
    sign: signText(identity.privateKey, canonical),
    timestamp: moment.timestamp,
    nonce: moment.nonce,
  });
  return { authorization, canonical };
}
