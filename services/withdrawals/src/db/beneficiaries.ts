import { and, asc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/database/database.ts';
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

/** A partner's recipient. Another partner's is not there. */
export async function findPartnerBeneficiary(
  reader: Reader,
  partnerId: string,
  beneficiaryRef: string,
): Promise<Beneficiary | undefined> {
  const [row] = await reader
    .select()
    .from(beneficiaries)
    .where(and(eq(beneficiaries.partnerId, partnerId), eq(beneficiaries.beneficiaryRef, beneficiaryRef)));
  return row;
}

/** All of a partner, in the order of their references. */
export async function listBeneficiaries(reader: Reader, partnerId: string): Promise<Beneficiary[]> {
  return reader
    .select()
    .from(beneficiaries)
    .where(eq(beneficiaries.partnerId, partnerId))
    .orderBy(asc(beneficiaries.beneficiaryRef));
}
