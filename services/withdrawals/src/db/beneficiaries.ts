import { and, asc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { BeneficiaryStatus } from '../domain/beneficiary.ts';
import { beneficiaries } from './schema.ts';

export type Beneficiary = Readonly<typeof beneficiaries.$inferSelect>;

/** The new row; undefined if the reference is taken. */
export async function insertBeneficiary(
  tx: Tx,
  beneficiary: typeof beneficiaries.$inferInsert,
): Promise<Beneficiary | undefined> {
  const [row] = await tx.insert(beneficiaries).values(beneficiary).onConflictDoNothing().returning();
  return row;
}

/** Locks the recipient until the transaction ends; undefined if there is none. */
export async function lockBeneficiary(tx: Tx, beneficiaryRef: string): Promise<Beneficiary | undefined> {
  const [row] = await tx
    .select()
    .from(beneficiaries)
    .where(eq(beneficiaries.beneficiaryRef, beneficiaryRef))
    .for('update');
  return row;
}

/** Decides a locked proposal. The update repeats the guard. @throws Error if it is already decided. */
export async function moveBeneficiary(
  tx: Tx,
  beneficiaryRef: string,
  to: BeneficiaryStatus,
  decidedBy: string,
): Promise<Beneficiary> {
  const rows = await tx
    .update(beneficiaries)
    .set({ status: to, decidedBy, decidedAt: sql`clock_now()` })
    .where(and(eq(beneficiaries.beneficiaryRef, beneficiaryRef), eq(beneficiaries.status, 'PROPOSED')))
    .returning();
  return onlyRow(rows);
}

/** Finds a partner's issued recipient; undefined if it belongs to another partner or is only proposed. */
export async function findPartnerBeneficiary(
  reader: Reader,
  partnerId: PartnerId,
  beneficiaryRef: string,
): Promise<Beneficiary | undefined> {
  const [row] = await reader
    .select()
    .from(beneficiaries)
    .where(
      and(
        eq(beneficiaries.partnerId, partnerId),
        eq(beneficiaries.beneficiaryRef, beneficiaryRef),
        eq(beneficiaries.status, 'ISSUED'),
      ),
    );
  return row;
}

/** All recipients of a partner, ordered by reference. */
export async function listBeneficiaries(reader: Reader, partnerId: PartnerId): Promise<Beneficiary[]> {
  return reader
    .select()
    .from(beneficiaries)
    .where(eq(beneficiaries.partnerId, partnerId))
    .orderBy(asc(beneficiaries.beneficiaryRef));
}
