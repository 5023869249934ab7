import { and, asc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { BeneficiaryStatus } from '../domain/beneficiary.ts';
import { beneficiaries } from './schema.ts';

export type Beneficiary = Readonly<typeof beneficiaries.$inferSelect>;

/** The new row; undefined where the reference exists. */
export async function insertBeneficiary(
  tx: Tx,
  beneficiary: typeof beneficiaries.$inferInsert,
): Promise<Beneficiary | undefined> {
  const [row] = await tx.insert(beneficiaries).values(beneficiary).onConflictDoNothing().returning();
  return row;
}

/** The recipient, held until the transaction ends. Undefined when there is none. */
export async function lockBeneficiary(tx: Tx, beneficiaryRef: string): Promise<Beneficiary | undefined> {
  const [row] = await tx
    .select()
    .from(beneficiaries)
    .where(eq(beneficiaries.beneficiaryRef, beneficiaryRef))
    .for('update');
  return row;
}

/** Decides a locked proposal. The update repeats the guard. @throws Error when it is decided already. */
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

/** A partner's recipient that was issued. Another partner's is not there, nor one that is only proposed. */
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

/** All of a partner, in the order of their references. */
export async function listBeneficiaries(reader: Reader, partnerId: PartnerId): Promise<Beneficiary[]> {
  return reader
    .select()
    .from(beneficiaries)
    .where(eq(beneficiaries.partnerId, partnerId))
    .orderBy(asc(beneficiaries.beneficiaryRef));
}
