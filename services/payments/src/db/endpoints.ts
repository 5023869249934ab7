import { eq, sql } from 'drizzle-orm';
import { onlyRow, type Reader, type Tx } from '@pay/shared/database/database.ts';
import { integrationEndpoints } from './schema.ts';

/** A partner's saved addresses. */
export type Endpoints = Readonly<typeof integrationEndpoints.$inferSelect>;

export async function findEndpoints(reader: Reader, partnerId: string): Promise<Endpoints | undefined> {
  const [row] = await reader.select().from(integrationEndpoints).where(eq(integrationEndpoints.partnerId, partnerId));
  return row;
}

/** Saves the addresses and counts the revision; concurrent saves of one partner wait for each other. */
export async function saveEndpoints(
  tx: Tx,
  endpoints: Pick<Endpoints, 'partnerId' | 'callbackUrl' | 'returnUrl'>,
): Promise<Endpoints> {
  const rows = await tx
    .insert(integrationEndpoints)
    .values({ ...endpoints, revision: 1 })
    .onConflictDoUpdate({
      target: integrationEndpoints.partnerId,
      set: {
        callbackUrl: endpoints.callbackUrl,
        returnUrl: endpoints.returnUrl,
        revision: sql`${integrationEndpoints.revision} + 1`,
        updatedAt: sql`clock_now()`,
      },
    })
    .returning();
  return onlyRow(rows);
}
