import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Payment } from './payments.ts';
import { partnerStandings, paymentPoints } from '../merchant/schema.ts';
import { payments } from './schema.ts';
import { routes } from '../acquiring/schema.ts';

export type Standing = Pick<typeof partnerStandings.$inferSelect, 'partnerId' | 'status' | 'revision'>;

/** Saves a partner's status as the gateway reported it; false if a newer one is known. */
export async function saveStanding(tx: Tx, { partnerId, status, revision }: Standing): Promise<boolean> {
  const rows = await tx
    .insert(partnerStandings)
    .values({ partnerId, status, revision })
    .onConflictDoUpdate({
      target: partnerStandings.partnerId,
      set: { status, revision, updatedAt: sql`clock_now()` },
      setWhere: lt(partnerStandings.revision, revision),
    })
    .returning({ partnerId: partnerStandings.partnerId });
  return rows.length === 1;
}

/**
 * Why nothing new goes to the bank for a payment: `closed` for good, or `suspended` until somebody resumes the partner, the
 * point or the route; undefined if nothing holds it. What the bank already has is completed.
 */
export async function whyHeld(
  reader: Reader,
  { partnerId, paymentPointId, routeId }: Pick<Payment, 'partnerId' | 'paymentPointId' | 'routeId'>,
): Promise<Held | undefined> {
  const [row] = await reader
    .select(WHAT_HOLDS)
    .from(paymentPoints)
    .innerJoin(routes, eq(routes.routeId, routeId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, partnerId))
    .where(eq(paymentPoints.paymentPointId, paymentPointId));
  return row === undefined ? 'suspended' : heldBy(row);
}

/** The columns that decide whether anything new goes to the bank. */
export const WHAT_HOLDS = {
  point: paymentPoints.status,
  route: routes.status,
  partner: partnerStandings.status,
} as const;

/** As `whyHeld`. */
export function heldBy({ point, route, partner }: WhatHolds): Held | undefined {
  if (point === 'CLOSED') return 'closed';
  return point === 'ACTIVE' && route === 'ACTIVE' && partner !== 'SUSPENDED' ? undefined : 'suspended';
}
/** A row with the columns of `WHAT_HOLDS`. */
export type WhatHolds = {
  readonly point: typeof paymentPoints.$inferSelect.status;
  readonly route: typeof routes.$inferSelect.status;
  /** Null: the gateway has reported nothing about the partner. */
  readonly partner: Standing['status'] | null;
};
export type Held = 'closed' | 'suspended';

/** Makes a partner's unsent charges due now. */
export async function hurryCharges(tx: Tx, partnerId: PartnerId): Promise<void> {
  await tx
    .update(payments)
    .set({ nextReadAt: sql`clock_now()` })
    .where(
      and(
        isNotNull(payments.nextReadAt),
        eq(payments.partnerId, partnerId),
        eq(payments.status, 'CREATED'),
        eq(payments.method, 'CARD_BINDING'),
      ),
    );
}
