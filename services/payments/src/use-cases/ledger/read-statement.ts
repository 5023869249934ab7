import { invalidField } from '@pay/shared/errors/api-error.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { listStatementEntries, readPayable } from '../../db/ledger/ledger.ts';
import { withRunningTotal, type StatementLine } from '../../domain/ledger/statement.ts';

export type Statement = {
  readonly openingKopecks: bigint;
  readonly closingKopecks: bigint;
  readonly lines: readonly StatementLine[];
};

type Period = { readonly partnerId: PartnerId; readonly from: Date; readonly to: Date };

/** Lines per statement: as many as a spreadsheet handles well. Longer ones are requested as several periods. */
const LINES_MAX = 10_000;

/**
 * What we owed a partner at `from`, every booking before `to`, and what we owed at `to`; in one database snapshot.
 * @throws ApiError 400 for a period with more than 10,000 bookings
 */
export async function readStatement(db: Db, { partnerId, from, to }: Period): Promise<Statement> {
  return db.transaction(
    async (tx) => {
      const entries = await listStatementEntries(tx, { partnerId, from, to }, LINES_MAX + 1);
      if (entries.length > LINES_MAX) throw invalidField('to', `is too late: the period has more than ${String(LINES_MAX)} bookings`);
      const openingKopecks = await readPayable(tx, partnerId, from);
      const closingKopecks = await readPayable(tx, partnerId, to);
      return { openingKopecks, closingKopecks, lines: withRunningTotal(openingKopecks, entries, closingKopecks) };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
