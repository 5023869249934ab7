import { eq } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { PaymentAt } from '../payment/payments.ts';
import { integrationEndpoints } from '../merchant/endpoints-schema.ts';
import { partnerStandings, paymentPoints, stores } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';
import { heldBy, WHAT_HOLDS, type Held } from '../payment/standings.ts';

/** A payment with what its pages say beside it. */
export type Checkout = PaymentAt & {
  readonly storeName: string;
  /** Where the partner wants its buyers back, unless the payment says otherwise; null: it never said. */
  readonly returnUrl: string | null;
  readonly held: Held | undefined;
};

/** What the checkout behind this token shows, in one statement: every page of a buyer asks for it. */
export async function findCheckout(reader: Reader, checkoutToken: string): Promise<Checkout | undefined> {
  const [row] = await reader
    .select({
      payment: payments,
      now: databaseNow,
      storeName: stores.name,
      returnUrl: integrationEndpoints.returnUrl,
      ...WHAT_HOLDS,
    })
    .from(payments)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, payments.paymentPointId))
    .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
    .innerJoin(routes, eq(routes.routeId, payments.routeId))
    .leftJoin(integrationEndpoints, eq(integrationEndpoints.partnerId, payments.partnerId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, payments.partnerId))
    .where(eq(payments.checkoutToken, checkoutToken));
  if (row === undefined) return undefined;
  const { payment, now, storeName, returnUrl } = row;
  return { payment, now, storeName, returnUrl, held: heldBy(row) };
}
