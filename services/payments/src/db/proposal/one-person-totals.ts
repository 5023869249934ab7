import { sql } from 'drizzle-orm';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { onePersonTotals } from './one-person-totals-schema.ts';

type Alone = {
  readonly operator: OperatorLogin;
  /** The partner whose payment is booked; undefined: an order of nobody is returned. */
  readonly partnerId: PartnerId | undefined;
  readonly amountKopecks: bigint;
};

/**
 * Adds to what this person has booked for the partner, or returned, alone today (UTC). False, and nothing is added, if that would be more
 * than the limit. Of two at once the second waits for the first, and is decided on the sum of both.
 */
export async function addAlone(tx: Tx, { operator, partnerId, amountKopecks }: Alone, limitKopecks: bigint): Promise<boolean> {
  if (amountKopecks > limitKopecks) return false;
  const total = sql`one_person_totals.amount_kopecks + excluded.amount_kopecks`;
  const rows = await tx
    .insert(onePersonTotals)
    .values({
      operator,
      day: sql`(clock_now() at time zone 'UTC')::date`,
      credited: partnerId ?? '',
      amountKopecks,
    })
    .onConflictDoUpdate({
      target: [onePersonTotals.operator, onePersonTotals.day, onePersonTotals.credited],
      set: { amountKopecks: total },
      setWhere: sql`${total} <= ${limitKopecks}`,
    })
    .returning({ operator: onePersonTotals.operator });
  return rows.length === 1;
}
