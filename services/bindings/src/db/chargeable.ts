import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { valueIf } from '@pay/shared/postgres/fast/value-if.ts';
import type { Decline } from '../domain/charge-retry.ts';
import type { Binding } from './bindings.ts';
import { declineOf, DECLINES_MAX, mayBeCharged, newestFirst, type Slot } from './charges.ts';
import { bindings, charges } from './schema.ts';

/** What a charge is decided on. */
export type Chargeable = {
  readonly binding: Binding;
  /** Names this state of the binding's row. */
  readonly rowVersion: string;
  /** As `listDeclines`. */
  readonly declines: readonly Decline[];
  /** The database's time of the read. */
  readonly now: Date;
};

/** Reads everything that a charge of a partner's binding is decided on, in one statement. */
export async function findChargeable(
  reader: Reader,
  { partnerId, bindingId }: Pick<Slot, 'partnerId' | 'bindingId'>,
): Promise<Chargeable | undefined> {
  const { failureCode, endedAt } = charges;
  const rows = await reader
    .select({ binding: bindings, rowVersion, decline: { failureCode, endedAt }, now: databaseNow })
    .from(bindings)
    .leftJoin(
      charges,
      and(
        eq(charges.bindingId, bindings.bindingId),
        gt(charges.endedAt, bindings.lastChargedAt),
        sql`${charges.failureCode} is not null`,
      ),
    )
    .where(and(eq(bindings.bindingId, bindingId), eq(bindings.partnerId, partnerId)))
    .orderBy(...newestFirst)
    .limit(DECLINES_MAX);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { ...first, declines: rows.flatMap(({ decline }) => declineOf(decline)) };
}

/** Changes with each change of the row. */
const rowVersion = sql<string>`${bindings}.xmin::text`;

/**
 * The statement that occupies the slot of a binding as it was read, not sent yet. It fails (`isMissed`) if the row has changed
 * since, or may not be charged: what `occupySlot` checks.
 */
export function slotStatement(tx: Tx, { paymentId, partnerId, bindingId }: Slot, seen: Pick<Chargeable, 'rowVersion'>) {
  const isAsSeen = sql`${rowVersion} = ${seen.rowVersion}`;
  return tx
    .update(bindings)
    .set({
      openPaymentId: paymentId,
      updatedAt: sql`clock_now()`,
      aggregateVersion: valueIf(and(mayBeCharged(partnerId), isAsSeen), sql`${bindings.aggregateVersion}`),
    })
    .where(eq(bindings.bindingId, bindingId));
}

/** SQL: when the last change of a binding was. */
export const changedAtOf = (bindingId: string): SQL =>
  sql`(select updated_at from ${bindings} where binding_id = ${bindingId})`;
