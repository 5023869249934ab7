import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { deleteSession } from '../db/sessions.ts';
import { appendAccountAudit, type By } from './account-audit.ts';

/**
 * Ends one session of an operator. One administrator is enough: it only removes rights, and may be urgent.
 * @throws ApiError 404 if it has already ended
 */
export async function endSession(db: Db, by: By, sessionId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const login = await deleteSession(tx, sessionId);
    if (login === undefined) throw new ApiError('NOT_FOUND');
    await appendAccountAudit(tx, by, { action: 'sessions.end', login, before: { sessionId }, after: null });
  });
}
