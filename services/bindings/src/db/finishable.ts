import { and, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledByColumns, compiledRead, compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import { valueIf } from '@pay/shared/postgres/fast/value-if.ts';
import type { Schedule } from '../domain/charge-period.ts';
import { rowVersion, type Binding } from './bindings.ts';
import type { ChargeEnd, Slot } from './charges.ts';
import { bindings, charges } from './schema.ts';

/** What the end of a charge is decided on. */
export type Finishable = Pick<Binding, 'period' | 'nextChargeAt' | 'anchorDay'> & {
  /** Names this state of the binding's row. */
  readonly rowVersion: string;
  /** When the charge was accepted. */
  readonly acceptedAt: Date;
};

/** Reads a charge that holds the slot of its binding, and the binding, in one statement; undefined if there are no such two. */
export async function findFinishable(
  reader: Reader,
  { bindingId, paymentId }: Pick<Slot, 'bindingId' | 'paymentId'>,
): Promise<Finishable | undefined> {
  const [row] = await finishable(reader, { bindingId, paymentId });
  return row;
}

const finishable = compiledRead({ bindingId: bindings.bindingId, paymentId: charges.paymentId }, ({ bindingId, paymentId }, builder) =>
  builder
    .select({
      period: bindings.period,
      nextChargeAt: bindings.nextChargeAt,
      anchorDay: bindings.anchorDay,
      rowVersion,
      acceptedAt: charges.createdAt,
    })
    .from(bindings)
    .innerJoin(charges, eq(charges.paymentId, bindings.openPaymentId))
    .where(and(eq(bindings.bindingId, bindingId), eq(charges.paymentId, paymentId))),
);

/** The statement of `freeSlot` for a binding as it was read, not sent yet. It fails (`isMissed`) if the row has changed since. */
export const freedSlotStatement = (tx: Tx, bindingId: string, seen: Pick<Finishable, 'rowVersion'>, schedule: Schedule | undefined) =>
  slotFreed(tx, { ...schedule }, { of: bindingId, seen: seen.rowVersion });

const slotFreed = compiledByColumns(
  bindings,
  // The second is a text, as the version is.
  { of: bindings.bindingId, seen: bindings.partnerId },
  (schedule, { of, seen }, builder) =>
    builder
      .update(bindings)
      .set({
        ...schedule,
        openPaymentId: null,
        updatedAt: sql`clock_now()`,
        aggregateVersion: valueIf(sql`${rowVersion} = ${seen}`, sql`${bindings.aggregateVersion}`),
      })
      .where(eq(bindings.bindingId, of))
      .returning({ bindingId: bindings.bindingId }),
);

/** The statement of `endCharge` for a charge whose slot is freed in the same turn, not sent yet. */
export const endedChargeStatement = (tx: Tx, { paymentId, status, failureCode, occurredAt }: ChargeEnd) =>
  chargeEnded(tx, { paymentId, status, failureCode, endedAt: occurredAt });

const chargeEnded = compiledWrite(
  {
    paymentId: charges.paymentId,
    status: charges.status,
    failureCode: charges.failureCode,
    endedAt: charges.endedAt,
  },
  ({ paymentId, ...end }, builder) =>
    builder
      .update(charges)
      .set({ ...end, updatedAt: sql`clock_now()` })
      .where(eq(charges.paymentId, paymentId))
      .returning({ paymentId: charges.paymentId }),
);
