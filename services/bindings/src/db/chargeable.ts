import { and, eq, gt, sql } from 'drizzle-orm';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledRead, compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import { valueIf } from '@pay/shared/postgres/fast/value-if.ts';
import type { Decline } from '../domain/charge-retry.ts';
import { rowVersion, type Binding } from './bindings.ts';
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
  const rows = await chargeable(reader, { partnerId, bindingId });
  const [first] = rows;
  if (first === undefined) return undefined;
  const { binding, rowVersion: version, now } = first;
  return { binding, rowVersion: version, now, declines: rows.flatMap(declineOf) };
}

const chargeable = compiledRead({ partnerId: bindings.partnerId, bindingId: bindings.bindingId }, ({ partnerId, bindingId }, builder) =>
  builder
    .select({
      binding: bindings,
      rowVersion,
      failureCode: charges.failureCode,
      endedAt: charges.endedAt,
      now: databaseNow,
    })
    .from(bindings)
    .leftJoin(
      charges,
      and(eq(charges.bindingId, bindings.bindingId), gt(charges.endedAt, bindings.lastChargedAt), sql`${charges.failureCode} is not null`),
    )
    .where(and(eq(bindings.bindingId, bindingId), eq(bindings.partnerId, partnerId)))
    .orderBy(...newestFirst)
    .limit(DECLINES_MAX),
);

/**
 * The statement that occupies the slot of a binding as it was read, not sent yet. It fails (`isMissed`) if the row has changed
 * since, or may not be charged: what `occupySlot` checks.
 */
export const slotStatement = (tx: Tx, { paymentId, partnerId, bindingId }: Slot, seen: Pick<Chargeable, 'rowVersion'>) =>
  slotTaken(tx, { paymentId, partnerId, bindingId, seen: seen.rowVersion });

const slotTaken = compiledWrite(
  {
    paymentId: bindings.openPaymentId,
    partnerId: bindings.partnerId,
    bindingId: bindings.bindingId,
    // A text, as the version is.
    seen: bindings.partnerId,
  },
  ({ paymentId, partnerId, bindingId, seen }, builder) =>
    builder
      .update(bindings)
      .set({
        openPaymentId: paymentId,
        updatedAt: sql`clock_now()`,
        aggregateVersion: valueIf(and(mayBeCharged(partnerId), sql`${rowVersion} = ${seen}`), sql`${bindings.aggregateVersion}`),
      })
      .where(eq(bindings.bindingId, bindingId))
      .returning({ bindingId: bindings.bindingId }),
);
