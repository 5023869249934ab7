import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { withoutForbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { appendAudit } from '../db/audit.ts';
import type { Action } from '@pay/shared/operators/roles.ts';
import type { SignedIn } from '../sign-in/session.ts';

type Lines = readonly (readonly (string | null)[])[];

/** Who exports which list, with which filter. */
export type Export = {
  readonly signedIn: Pick<SignedIn, 'login' | 'role'>;
  readonly action: Action;
  readonly subjectId: string;
  readonly filter: Readonly<Record<string, string>>;
};

/**
 * The pages of a list between two rows of the audit log: the filter before the first line is sent, and the number of
 * lines sent, even if it was aborted. The export is on record before the reader has the whole list.
 */
export async function* exportOnRecord(
  db: Db,
  { signedIn, action, subjectId, filter }: Export,
  pages: AsyncIterable<Lines>,
): AsyncGenerator<Lines> {
  const requestId = currentRequestId() ?? '';
  const row = { requestId, operator: signedIn.login, role: signedIn.role, action, subjectId, before: null };
  // A search by any id may contain a buyer, whom the audit log does not name (decisions/erasure); other identifiers are
  // searched and stored as people may see them.
  const shown = Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, name === 'id' ? 'one id' : withoutForbiddenContent(value)]),
  );
  await inTransaction(db, (tx) => appendAudit(tx, { ...row, kind: 'ASKED', status: null, after: { filter: shown } }));
  const after = { rows: 0, isComplete: false };
  let status = 200;
  try {
    for await (const lines of pages) {
      after.rows += lines.length;
      yield lines;
    }
    after.isComplete = true;
  } catch (error) {
    status = error instanceof ApiError ? error.status : 500;
    throw error;
  } finally {
    await inTransaction(db, (tx) => appendAudit(tx, { ...row, kind: 'ANSWERED', status, after }));
  }
}
