import { and, asc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import type { BeneficiaryStatus } from '../domain/beneficiary.ts';
import { beneficiaries } from './schema.ts';

export type Beneficiary = Readonly<typeof beneficiaries.$inferSelect>;

/** The new row; undefined if the reference is taken. */
export async function insertBeneficiary(tx: Tx, beneficiary: typeof beneficiaries.$inferInsert): Promise<Beneficiary | undefined> {
  const [row] = await tx.insert(beneficiaries).values(beneficiary).onConflictDoNothing().returning();
  return row;
}

/** Locks the recipient until the transaction ends; undefined if there is none. */
export async function lockBeneficiary(tx: Tx, beneficiaryRef: string): Promise<Beneficiary | undefined> {
  const [row] = await tx.select().from(beneficiaries).where(eq(beneficiaries.beneficiaryRef, beneficiaryRef)).for('update');
  return row;
}

/** Decides a locked proposal. The update repeats the guard. @throws Error if it is already decided. */
export async function moveBeneficiary(tx: Tx, beneficiaryRef: string, to: BeneficiaryStatus, decidedBy: string): Promise<Beneficiary> {
  const rows = await tx
    .update(beneficiaries)
    .set({ status: to, decidedBy, decidedAt: sql`clock_now()` })
    .where(and(eq(beneficiaries.beneficiaryRef, beneficiaryRef), eq(beneficiaries.status, 'PROPOSED')))
    .returning();
  return onlyRow(rows);
}

/** Revokes an issued recipient; undefined if it is not issued. Waits for everything that counts on it (`holdIssued`). */
export async function revokeIssued(
  tx: Tx,
  beneficiaryRef: string,
  { revokedBy, revokeReason }: { readonly revokedBy: OperatorLogin; readonly revokeReason: string },
): Promise<Beneficiary | undefined> {
  const [row] = await tx
    .update(beneficiaries)
    .set({ status: 'REVOKED', revokedBy, revokeReason, revokedAt: sql`clock_now()` })
    .where(and(eq(beneficiaries.beneficiaryRef, beneficiaryRef), eq(beneficiaries.status, 'ISSUED')))
    .returning();
  return row;
}

/**
 * Finds a partner's issued recipient, which then stays issued until the transaction ends; undefined if it belongs to another
 * partner, or is not issued (any more).
 */
export async function holdIssued(tx: Tx, partnerId: PartnerId, beneficiaryRef: string): Promise<Beneficiary | undefined> {
  const [row] = await tx
    .select()
    .from(beneficiaries)
    .where(
      and(eq(beneficiaries.partnerId, partnerId), eq(beneficiaries.beneficiaryRef, beneficiaryRef), eq(beneficiaries.status, 'ISSUED')),
    )
    .for('share');
  return row;
}

/** All recipients of a partner, ordered by reference. */
export async function listBeneficiaries(reader: Reader, partnerId: PartnerId): Promise<Beneficiary[]> {
  return reader.select().from(beneficiaries).where(eq(beneficiaries.partnerId, partnerId)).orderBy(asc(beneficiaries.beneficiaryRef));
}
