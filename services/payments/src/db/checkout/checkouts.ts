import { eq, sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { compiledRead } from '@pay/shared/postgres/fast/compiled.ts';
import type { PaymentAt } from '../payment/payments.ts';
import { integrationEndpoints } from '../merchant/endpoints-schema.ts';
import { pointRoutes } from '../merchant/point-acquiring-routes-schema.ts';
import { partnerStandings, paymentPoints, stores } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';
import { heldBy, WHAT_HOLDS, type Held } from '../payment/standings.ts';

/** A payment with what else its pages show. */
export type Checkout = PaymentAt & {
  readonly storeName: string;
  /** How many cards the point lets a buyer try. */
  readonly cardAttempts: number;
  /** Whether the point offers SBP for this card payment: at the route that it has, and for its amount. */
  readonly offersSbp: boolean;
  /** The partner's saved return address, used if the payment has none; null: never saved. */
  readonly returnUrl: string | null;
  readonly held: Held | undefined;
};

const ROUTES_OF_SBP = sql`select from ${pointRoutes} where ${pointRoutes.paymentPointId} = ${paymentPoints.paymentPointId}
  and ${pointRoutes.method} = 'SBP_DYNAMIC_QR'`;

/**
 * An order for SBP goes to the bank that has the payment, so that everything that is asked about a payment has one
 * address (decisions/orders-of-a-payment).
 */
const OFFERS_SBP = sql<boolean>`${paymentPoints.sbpOnCardPage} and 'SBP_DYNAMIC_QR' = any(${paymentPoints.paymentMethods})
  and case when exists (${ROUTES_OF_SBP})
    then exists (${ROUTES_OF_SBP} and ${pointRoutes.routeId} = ${payments.routeId}
      and ${payments.amountKopecks} between ${pointRoutes.minAmountKopecks} and ${pointRoutes.maxAmountKopecks})
    else ${paymentPoints.routeId} = ${payments.routeId} end`;

const checkoutOf = compiledRead({ checkoutToken: payments.checkoutToken }, ({ checkoutToken }, builder) =>
  builder
    .select({
      payment: payments,
      now: databaseNow,
      storeName: stores.name,
      cardAttempts: paymentPoints.cardAttempts,
      offersSbp: OFFERS_SBP,
      returnUrl: integrationEndpoints.returnUrl,
      ...WHAT_HOLDS,
    })
    .from(payments)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, payments.paymentPointId))
    .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
    .innerJoin(routes, eq(routes.routeId, payments.routeId))
    .leftJoin(integrationEndpoints, eq(integrationEndpoints.partnerId, payments.partnerId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, payments.partnerId))
    .where(eq(payments.checkoutToken, checkoutToken)),
);

/** Reads what the checkout behind this token shows. One statement, because every page load runs it. */
export async function findCheckout(reader: Reader, checkoutToken: string): Promise<Checkout | undefined> {
  const [row] = await checkoutOf(reader, { checkoutToken });
  if (row === undefined) return undefined;
  const { payment, now, storeName, cardAttempts, offersSbp, returnUrl } = row;
  return { payment, now, storeName, cardAttempts, offersSbp, returnUrl, held: heldBy(row) };
}
