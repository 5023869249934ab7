import { eq } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { compiledRead } from '@pay/shared/postgres/fast/compiled.ts';
import type { PaymentAt } from '../payment/payments.ts';
import { integrationEndpoints } from '../merchant/endpoints-schema.ts';
import { partnerStandings, paymentPoints, stores } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';
import { heldBy, WHAT_HOLDS, type Held } from '../payment/standings.ts';

/** A payment with what else its pages show. */
export type Checkout = PaymentAt & {
  readonly storeName: string;
  /** How many cards the point lets a buyer try. */
  readonly cardAttempts: number;
  /** The partner's saved return address, used if the payment has none; null: never saved. */
  readonly returnUrl: string | null;
  readonly held: Held | undefined;
};

const checkoutOf = compiledRead({ checkoutToken: payments.checkoutToken }, ({ checkoutToken }, builder) =>
  builder
    .select({
      payment: payments,
      now: databaseNow,
      storeName: stores.name,
      cardAttempts: paymentPoints.cardAttempts,
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
  const { payment, now, storeName, cardAttempts, returnUrl } = row;
  return { payment, now, storeName, cardAttempts, returnUrl, held: heldBy(row) };
}
