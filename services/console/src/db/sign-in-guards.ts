import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { secondFactors, signInFailures } from './schema.ts';

/**
 * The first wrong passwords have no consequence. From the next one on, each locks twice as long as the previous one.
 */
const FREE_FAILURES = 4;
const FIRST_LOCK_SECONDS = 60;
/** The tenth in a row, and each after it, locks for half an hour (PCI DSS 8.3.4). */
const LOCK_SECONDS_MAX = 30 * 60;
const FORGOTTEN_AFTER_HOURS = 24;

/**
 * Counts an attempt as a failure before its password is checked, and locks the login if there are too many: no more
 * concurrent attempts pass than sequential ones. A success removes the count (`deleteFailures`). In real time, like
 * sessions.
 * @returns false if the login is locked: nothing may be checked
 */
export async function countAttempt(tx: Tx, loginKey: string, operatorId: string | undefined): Promise<boolean> {
  const stale = sql`sign_in_failures.last_failed_at < now() - make_interval(hours => ${FORGOTTEN_AFTER_HOURS})`;
  const failures = sql`(case when ${stale} then 1 else sign_in_failures.failures + 1 end)`;
  const seconds = sql`least(${LOCK_SECONDS_MAX}, ${FIRST_LOCK_SECONDS} * power(2, least(${failures}, 30) - ${FREE_FAILURES + 1}))`;
  const rows = await tx
    .insert(signInFailures)
    .values({ loginKey, operatorId: operatorId ?? null, failures: 1, lastFailedAt: sql`now()` })
    .onConflictDoUpdate({
      target: signInFailures.loginKey,
      set: {
        operatorId: operatorId ?? null,
        failures,
        lastFailedAt: sql`now()`,
        lockedUntil: sql`case when ${failures} > ${FREE_FAILURES} then now() + make_interval(secs => ${seconds}) end`,
      },
      setWhere: sql`sign_in_failures.locked_until is null or sign_in_failures.locked_until <= now()`,
    })
    .returning({ failures: signInFailures.failures });
  return rows.length > 0;
}

/** Seconds until passwords of this login are checked again; 0 if they are. */
export async function lockedSeconds(reader: Reader, loginKey: string): Promise<number> {
  const left = sql<number>`greatest(0, ceil(extract(epoch from locked_until - now())))::int`;
  const [row] = await reader.select({ left }).from(signInFailures).where(eq(signInFailures.loginKey, loginKey));
  return row?.left ?? 0;
}

export async function deleteFailures(tx: Tx, loginKey: string): Promise<void> {
  await tx.delete(signInFailures).where(eq(signInFailures.loginKey, loginKey));
}

/** Deletes what strangers typed. */
export async function sweepFailures(tx: Tx): Promise<void> {
  await tx.delete(signInFailures).where(sql`last_failed_at < now() - make_interval(hours => ${FORGOTTEN_AFTER_HOURS})`);
}

/** Unlocks their passwords and codes at once. */
export async function unlockSignIn(tx: Tx, operatorId: string): Promise<void> {
  await tx.delete(signInFailures).where(eq(signInFailures.operatorId, operatorId));
  await tx.update(secondFactors).set({ failedVerificationCount: 0, lockedUntil: null }).where(eq(secondFactors.operatorId, operatorId));
}

/** Takes a code's half minute; false if it, or a later one, was already taken. */
export async function takeStep(tx: Tx, operatorId: string, step: number): Promise<boolean> {
  const rows = await tx
    .update(secondFactors)
    .set({ lastUsedStep: step })
    .where(and(eq(secondFactors.operatorId, operatorId), or(isNull(secondFactors.lastUsedStep), lt(secondFactors.lastUsedStep, step))))
    .returning({ id: secondFactors.id });
  return rows.length > 0;
}

/** The encrypted key of their codes, and the real time: codes do not follow the TEST clock. */
export async function findCodeSecret(
  reader: Reader,
  operatorId: string,
): Promise<{ readonly secret: string; readonly nowSeconds: number } | undefined> {
  const nowSeconds = sql<number>`extract(epoch from now())::double precision`;
  const [row] = await reader
    .select({ secret: secondFactors.secret, nowSeconds })
    .from(secondFactors)
    .where(eq(secondFactors.operatorId, operatorId));
  return row;
}
