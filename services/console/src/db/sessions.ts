import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { operators, sessions } from './schema.ts';

/** A session of an operator, as administrators see it: never with its token. */
export type OperatorSession = Omit<Readonly<typeof sessions.$inferSelect>, 'token' | 'operatorId'> & {
  readonly login: string;
  readonly name: string;
};

const { token: _token, operatorId: _operatorId, ...shown } = getTableColumns(sessions);

/**
 * The sessions that have not ended, the last used first; of the company's staff, so there are few. In real time, as the
 * sign-in library counts.
 */
export async function listSessions(reader: Reader): Promise<OperatorSession[]> {
  return reader
    .select({ ...shown, login: operators.email, name: operators.name })
    .from(sessions)
    .innerJoin(operators, eq(operators.id, sessions.operatorId))
    .where(sql`${sessions.expiresAt} > now()`)
    .orderBy(desc(sessions.updatedAt), desc(sessions.id));
}

/** Ends a session, so that whoever uses it has to sign in again; returns its operator's login, undefined if it has ended. */
export async function deleteSession(tx: Tx, sessionId: string): Promise<string | undefined> {
  const [row] = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), sql`${sessions.expiresAt} > now()`))
    .returning({ operatorId: sessions.operatorId });
  if (row === undefined) return undefined;
  const [operator] = await tx.select({ login: operators.email }).from(operators).where(eq(operators.id, row.operatorId));
  return operator?.login;
}
