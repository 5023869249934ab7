import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { compiledInsert, compiledRead } from '@pay/shared/postgres/fast/compiled.ts';
import type { Writer } from '@pay/shared/postgres/fast/one-statement.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { PaymentPoint } from '../merchant/payment-points.ts';
import type { NewPayment, Payment } from '../payment/payments.ts';
import type { PointAcquiringRoute } from '../merchant/point-acquiring-routes.ts';
import type { SavedCard } from './saved-cards.ts';
import { partnerStandings, paymentPoints } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';
import { savedCards } from './schema.ts';
import { heldBy, WHAT_HOLDS, type Held, type WhatHolds } from '../payment/standings.ts';

/** A saved card, where it is charged, and the database's time. */
export type ChargeableCard = {
  readonly card: SavedCard;
  readonly point: PaymentPoint;
  /** The route of the card's first payment, with its limits at the point: only the bank that issued the token accepts it. */
  readonly route: PointAcquiringRoute;
  readonly now: Date;
};

/** Reads everything needed to charge a partner's saved card, in one statement. */
export async function findChargeableCard(reader: Reader, partnerId: PartnerId, bindingId: string): Promise<ChargeableCard | undefined> {
  const [row] = await chargeableCard(reader, { partnerId, bindingId });
  return row;
}

const chargeableCard = compiledRead(
  { partnerId: savedCards.partnerId, bindingId: savedCards.bindingId },
  ({ partnerId, bindingId }, builder) =>
    builder
      .select({
        card: savedCards,
        point: paymentPoints,
        route: {
          routeId: routes.routeId,
          connector: routes.connector,
          status: routes.status,
          minAmountKopecks: sql`greatest(${routes.minAmountKopecks}, ${paymentPoints.minAmountKopecks})`.mapWith(BigInt),
          maxAmountKopecks: sql`least(${routes.maxAmountKopecks}, ${paymentPoints.maxAmountKopecks})`.mapWith(BigInt),
        },
        now: databaseNow,
      })
      .from(savedCards)
      .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, savedCards.paymentPointId))
      .innerJoin(payments, eq(payments.paymentId, savedCards.paymentId))
      .innerJoin(routes, eq(routes.routeId, payments.routeId))
      .where(and(eq(savedCards.bindingId, bindingId), eq(savedCards.partnerId, partnerId))),
);

/** Reads the card of a charge that is about to be sent, and what holds it back now, in one statement. */
export async function findCardToCharge(
  reader: Reader,
  { partnerId, bindingId, routeId }: Pick<Payment, 'partnerId' | 'routeId'> & { readonly bindingId: string },
): Promise<{ readonly card: SavedCard; readonly held: Held | undefined } | undefined> {
  const [row] = await reader
    .select({ card: savedCards, ...WHAT_HOLDS })
    .from(savedCards)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, savedCards.paymentPointId))
    .innerJoin(routes, eq(routes.routeId, routeId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, savedCards.partnerId))
    .where(and(eq(savedCards.bindingId, bindingId), eq(savedCards.partnerId, partnerId)));
  return row === undefined ? undefined : { card: row.card, held: heldBy(row) };
}

/** A charge as it was stored, and what kept it from being sent at that moment. */
export type StoredCharge = Payment & { readonly isRevoked: boolean; readonly held: Held | undefined };

/**
 * Stores a charge, and reads as `findCardToCharge`, in one statement. The card is locked: a revocation that committed while the
 * statement waited is seen, and one that comes later waits for the charge.
 */
export async function insertChargeOf(writer: Writer, charge: NewPayment): Promise<StoredCharge> {
  const { point, route, partner, ...stored } = onlyRow(await insertedCharge(writer, charge));
  return { ...stored, held: heldBy({ point, route, partner }) };
}

const insertedCharge = compiledInsert(payments, ({ partnerId, bindingId, paymentPointId, routeId }) => ({
  ...getTableColumns(payments),
  isRevoked: sql<boolean>`coalesce((select revoked_at is not null from saved_cards where binding_id = ${bindingId} for share), false)`,
  point: sql<WhatHolds['point']>`(select status from payment_points where payment_point_id = ${paymentPointId})`,
  route: sql<WhatHolds['route']>`(select status from routes where route_id = ${routeId})`,
  partner: sql<WhatHolds['partner']>`(select status from partner_standings where partner_id = ${partnerId})`,
}));
