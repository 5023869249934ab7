import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { parseOpenSshKey, parseSignature, publicKeyOf, verifyText } from '@pay/signing/ed25519.ts';
import {
  deleteSession,
  findSession,
  findSignInKeys,
  holdSignInKey,
  insertChallenge,
  insertSession,
  takeChallenge,
  touchSession,
  type PortalSession,
} from '../db/portal-sessions.ts';
import { readDatabaseMilliseconds } from '../db/partners.ts';
import { portalChallengeText } from '../domain/portal-challenge.ts';

/** How long a challenge can be answered: time enough to sign it on another machine. */
const CHALLENGE_MS = 5 * 60_000;

export type IssuedChallenge = { readonly challengeId: string; readonly text: string; readonly expiresAt: Date };

/** A session that has begun. The token is told once; the table has its hash. */
export type SignedIn = { readonly token: string; readonly partnerId: PartnerId; readonly keyId: string };

/** Issues a text for a partner to sign, whether or not there is such a partner. */
export async function issueChallenge(db: Db, origin: string, partnerId: PartnerId): Promise<IssuedChallenge> {
  return inTransaction(db, async (tx) => {
    const challengeId = randomUUID();
    const expiresAt = new Date((await readDatabaseMilliseconds(tx)) + CHALLENGE_MS);
    const text = portalChallengeText({ challengeId, origin, partnerId, expiresAt });
    await insertChallenge(tx, { challengeId, partnerId, text, expiresAt });
    return { challengeId, text, expiresAt };
  });
}

/**
 * Begins a session if `signature` is that of one of the partner's active keys. Undefined if not: the challenge is used up
 * either way. A session that the browser had before ends, so that nobody else's cookie survives a sign-in.
 */
export async function signInToPortal(
  db: Db,
  { challengeId, signature, before }: { challengeId: string; signature: string; before: string | undefined },
): Promise<SignedIn | undefined> {
  const bytes = parseSignature(signature);
  return inTransaction(db, async (tx) => {
    const challenge = await takeChallenge(tx, challengeId);
    if (challenge === undefined || bytes === undefined) return undefined;
    const { partnerId, text } = challenge;
    const key = (await findSignInKeys(tx, partnerId)).find((one) => isSignedBy(one.publicKey, text, bytes));
    // Read again under a lock: a suspension that ends before this transaction would miss its session.
    if (key === undefined || !(await holdSignInKey(tx, key.keyId))) return undefined;
    const token = randomBytes(32).toString('base64url');
    if (before !== undefined) await deleteSession(tx, sha256(before));
    await insertSession(tx, { tokenSha256: sha256(token), partnerId, keyId: key.keyId });
    return { token, partnerId, keyId: key.keyId };
  });
}

/** Whose session it is. The only place where the portal's requests get a partner. @throws ApiError 401 */
export async function readPortalSession(db: Db, token: string): Promise<PortalSession> {
  const tokenSha256 = sha256(token);
  const session = await findSession(db, tokenSha256);
  if (session === undefined) throw new ApiError('UNAUTHORIZED');
  if (session.isStale) await inTransaction(db, (tx) => touchSession(tx, tokenSha256));
  return session;
}

/** Ends a session. A token that belongs to none changes nothing. */
export async function signOutOfPortal(db: Db, token: string): Promise<void> {
  await inTransaction(db, (tx) => deleteSession(tx, sha256(token)));
}

const sha256 = (token: string): string => hash('sha256', token, 'hex');

function isSignedBy(line: string, text: string, signature: Buffer): boolean {
  const bytes = parseOpenSshKey(line);
  return bytes !== undefined && verifyText(publicKeyOf(bytes), text, signature);
}
