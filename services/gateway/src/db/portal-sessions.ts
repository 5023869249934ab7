import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { partnerKeys, partners, portalChallenges, portalSessions } from './schema.ts';

/** A session ends after half an hour without a request, and after ten hours at the latest: as an operator's does. */
const IDLE_MINUTES = 30;
const SESSION_HOURS = 10;

/** How long after a sign-in a session may move money, addresses or secrets: a browser that was left open may not. */
const FRESH_MINUTES = 5;

const now = sql`clock_timestamp()`;
const ago = (interval: string) => sql`clock_timestamp() - ${interval}::interval`;
const IDLE = `${String(IDLE_MINUTES)} minutes`;
const FRESH = `${String(FRESH_MINUTES)} minutes`;
const WHOLE = `${String(SESSION_HOURS)} hours`;

export async function insertChallenge(tx: Tx, challenge: typeof portalChallenges.$inferInsert): Promise<void> {
  await tx.insert(portalChallenges).values(challenge);
}

/** Takes a challenge for good, so that it is answered once. Undefined if it is not there, or has expired. */
export async function takeChallenge(
  tx: Tx,
  challengeId: string,
): Promise<{ readonly partnerId: PartnerId; readonly text: string } | undefined> {
  const [row] = await tx
    .delete(portalChallenges)
    .where(and(eq(portalChallenges.challengeId, challengeId), gt(portalChallenges.expiresAt, now)))
    .returning({ partnerId: portalChallenges.partnerId, text: portalChallenges.text });
  return row;
}

/** The keys that a partner may sign in with: active ones of an active partner. */
export function findSignInKeys(reader: Reader, partnerId: PartnerId): Promise<{ readonly keyId: string; readonly publicKey: string }[]> {
  return reader
    .select({ keyId: partnerKeys.keyId, publicKey: partnerKeys.publicKey })
    .from(partnerKeys)
    .innerJoin(partners, eq(partners.partnerId, partnerKeys.partnerId))
    .where(and(eq(partnerKeys.partnerId, partnerId), eq(partnerKeys.status, 'ACTIVE'), eq(partners.status, 'ACTIVE')));
}

/**
 * Whether a key may still sign in; if so, neither it nor its partner changes before the transaction ends. A suspension or a
 * revocation that came first is waited for. The key is locked before the partner, as revoking a key does it.
 */
export async function holdSignInKey(tx: Tx, keyId: string): Promise<boolean> {
  const rows = await tx
    .select({ keyId: partnerKeys.keyId })
    .from(partnerKeys)
    .innerJoin(partners, eq(partners.partnerId, partnerKeys.partnerId))
    .where(and(eq(partnerKeys.keyId, keyId), eq(partnerKeys.status, 'ACTIVE'), eq(partners.status, 'ACTIVE')))
    .for('share');
  return rows.length === 1;
}

export async function insertSession(
  tx: Tx,
  session: Pick<typeof portalSessions.$inferInsert, 'tokenSha256' | 'partnerId' | 'keyId'>,
): Promise<void> {
  await tx.insert(portalSessions).values({ ...session, startedAt: now, seenAt: now });
}

/** A session that may act, with its partner. */
export type PortalSession = {
  readonly partnerId: PartnerId;
  readonly name: string;
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly keyId: string;
  readonly fingerprint: string;
  readonly startedAt: Date;
  /** The partner's key has signed within the last minutes. */
  readonly isFresh: boolean;
  /** Its last request was more than a minute ago. */
  readonly isStale: boolean;
};

/**
 * The session of a token, if it may act: neither too old nor idle for too long, its key still active, its partner not
 * suspended. The statement is the whole rule.
 */
export async function findSession(reader: Reader, tokenSha256: string): Promise<PortalSession | undefined> {
  const [row] = await reader
    .select({
      partnerId: portalSessions.partnerId,
      name: partners.name,
      ratePerSecond: partners.ratePerSecond,
      burst: partners.burst,
      keyId: portalSessions.keyId,
      fingerprint: partnerKeys.fingerprint,
      startedAt: portalSessions.startedAt,
      isFresh: sql<boolean>`${portalSessions.startedAt} > ${ago(FRESH)}`,
      isStale: sql<boolean>`${portalSessions.seenAt} < ${ago('1 minute')}`,
    })
    .from(portalSessions)
    .innerJoin(partners, eq(partners.partnerId, portalSessions.partnerId))
    .innerJoin(partnerKeys, eq(partnerKeys.keyId, portalSessions.keyId))
    .where(
      and(
        eq(portalSessions.tokenSha256, tokenSha256),
        gt(portalSessions.seenAt, ago(IDLE)),
        gt(portalSessions.startedAt, ago(WHOLE)),
        eq(partners.status, 'ACTIVE'),
        eq(partnerKeys.status, 'ACTIVE'),
      ),
    );
  return row;
}

/** Extends a session. */
export async function touchSession(tx: Tx, tokenSha256: string): Promise<void> {
  await tx.update(portalSessions).set({ seenAt: now }).where(eq(portalSessions.tokenSha256, tokenSha256));
}

export async function deleteSession(tx: Tx, tokenSha256: string): Promise<void> {
  await tx.delete(portalSessions).where(eq(portalSessions.tokenSha256, tokenSha256));
}

/** Ends all sessions of a partner for good: resuming it later brings none back. */
export async function deletePartnerSessions(tx: Tx, partnerId: PartnerId): Promise<void> {
  await tx.delete(portalSessions).where(eq(portalSessions.partnerId, partnerId));
}

/** Removes what has expired. Returns how many rows. */
export async function sweepPortal(tx: Tx): Promise<number> {
  const challenges = await tx.delete(portalChallenges).where(lt(portalChallenges.expiresAt, now));
  const idle = await tx.delete(portalSessions).where(lt(portalSessions.seenAt, ago(IDLE)));
  const old = await tx.delete(portalSessions).where(lt(portalSessions.startedAt, ago(WHOLE)));
  return (challenges.rowCount ?? 0) + (idle.rowCount ?? 0) + (old.rowCount ?? 0);
}
