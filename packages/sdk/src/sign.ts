import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto';
import { canonicalString, type SignedParts } from '@pay/signing/canonical-request.ts';
import { privateKeyOf, renderOpenSshKey, signText } from '@pay/signing/ed25519.ts';
import { NO_PAIR, publicLineOfText, secretOfText } from '@pay/signing/key-text.ts';

/** Who signs. `publicKey` is the OpenSSH line without a comment, as registered. */
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
 * @throws Error that says what a text is and what to give instead, or that the keys do not match
 */
export function readIdentity(given: { partnerID: string; publicKey: string; privateKeyPem: string }): Identity {
  const privateKey = privateKeyOf(secretOfText(given.privateKeyPem));
  const publicKey = publicLineOfText(given.publicKey);
  if (publicKey !== renderOpenSshKey(createPublicKey(privateKey))) throw new Error(NO_PAIR);
  return { partnerID: given.partnerID, publicKey, privateKey };
}

/** Unix time in whole seconds and 128 random bits: what makes each attempt unique. */
export function freshMoment(now: Date): { timestamp: string; nonce: string } {
  return { timestamp: String(Math.floor(now.getTime() / 1000)), nonce: randomBytes(16).toString('hex') };
}

/** Signs one attempt. See spec/service-contract#authentication. */
export function signRequest(identity: Identity, request: Unsigned, moment: { readonly timestamp: string; readonly nonce: string }): Signed {
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
