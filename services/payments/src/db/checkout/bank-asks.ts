import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { bankAsks, type BankAsk } from './schema.ts';

/** Rows deleted in one statement. */
const BATCH = 5_000;
/** A hold that ends later than any hold can was made before TEST's clock was moved back. */
const IS_FREE = sql`${bankAsks.heldUntil} <= clock_now() or ${bankAsks.heldUntil} > clock_now() + interval '2 minutes'`;

const inMs = (ms: number) => sql`clock_now() + ${ms} * interval '1 millisecond'`;

/** Claims the right to ask the bank; undefined while somebody else holds it. The returned moment releases it. */
export async function claimBankAsk(tx: Tx, paymentId: string, kind: BankAsk, ms: number): Promise<Date | undefined> {
  const rows = await tx
    .insert(bankAsks)
    .values({ paymentId, kind, heldUntil: inMs(ms) })
    .onConflictDoUpdate({
      target: [bankAsks.paymentId, bankAsks.kind],
      set: { heldUntil: inMs(ms) },
      setWhere: IS_FREE,
    })
    .returning({ heldUntil: bankAsks.heldUntil });
  return rows[0]?.heldUntil;
}

/** The bank has answered, or will not: somebody else may ask in `ms`. Does nothing if the right was lost in the meantime. */
export async function releaseBankAsk(
  tx: Tx,
  ask: { readonly paymentId: string; readonly kind: BankAsk; readonly heldUntil: Date },
  ms: number,
): Promise<void> {
  await tx
    .update(bankAsks)
    .set({ heldUntil: inMs(ms) })
    .where(and(eq(bankAsks.paymentId, ask.paymentId), eq(bankAsks.kind, ask.kind), eq(bankAsks.heldUntil, ask.heldUntil)));
}

/** Deletes a batch of holds that ended a day ago. Returns how many. */
export async function deleteOldBankAsks(tx: Tx): Promise<number> {
  const result = await tx.execute(sql`delete from bank_asks where ctid in (
    select ctid from bank_asks where held_until < clock_now() - interval '1 day' limit ${BATCH})`);
  return result.rowCount ?? 0;
}
