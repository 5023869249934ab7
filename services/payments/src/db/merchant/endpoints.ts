import { eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { ExtraEvent } from '@pay/contract/extra-events.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { integrationEndpoints } from './endpoints-schema.ts';

/** A partner's saved addresses. */
export type Endpoints = Readonly<typeof integrationEndpoints.$inferSelect>;

export async function findEndpoints(reader: Reader, partnerId: PartnerId): Promise<Endpoints | undefined> {
  const [row] = await reader.select().from(integrationEndpoints).where(eq(integrationEndpoints.partnerId, partnerId));
  return row;
}

/** What is saved. Extra events stay as they are if they are undefined. */
export type NewEndpoints = Pick<Endpoints, 'partnerId' | 'callbackUrl' | 'returnUrl'> & {
  readonly extraEvents?: readonly ExtraEvent[] | undefined;
};

/** Saves the addresses and increments the revision. Concurrent saves of one partner wait for each other. */
export async function saveEndpoints(tx: Tx, { extraEvents, ...endpoints }: NewEndpoints): Promise<Endpoints> {
  const extra = extraEvents === undefined ? {} : { extraEvents: [...extraEvents] };
  const rows = await tx
    .insert(integrationEndpoints)
    .values({ ...endpoints, ...extra, revision: 1 })
    .onConflictDoUpdate({
      target: integrationEndpoints.partnerId,
      set: {
        callbackUrl: endpoints.callbackUrl,
        returnUrl: endpoints.returnUrl,
        ...extra,
        revision: sql`${integrationEndpoints.revision} + 1`,
        updatedAt: sql`clock_now()`,
      },
    })
    .returning();
  return onlyRow(rows);
}
