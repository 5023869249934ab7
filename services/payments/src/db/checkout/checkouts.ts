import { eq } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { compiledRead } from '@pay/shared/postgres/fast/compiled.ts';
import type { PaymentAt } from '../payment/payments.ts';
import { integrationEndpoints } from '../merchant/endpoints-schema.ts';
import { partnerStandings, paymentPoints, storeLogos, stores } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';
import { heldBy, WHAT_HOLDS, type Held } from '../payment/standings.ts';

/** The logo of a payment's store. Sizes in pixels. */
export type CheckoutLogo = { readonly sha256: string; readonly width: number; readonly height: number };

/** A payment with what else its pages show. */
export type Checkout = PaymentAt & {
  readonly storeName: string;
  readonly logo: CheckoutLogo | undefined;
  /** How many cards the point lets a buyer try. */
  readonly cardAttempts: number;
  /** Whether the point sends payment confirmations by e-mail. */
  readonly emailConfirmation: boolean;
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
      logoSha256: storeLogos.sha256,
      logoWidth: storeLogos.width,
      logoHeight: storeLogos.height,
      cardAttempts: paymentPoints.cardAttempts,
      emailConfirmation: paymentPoints.emailConfirmation,
      returnUrl: integrationEndpoints.returnUrl,
      ...WHAT_HOLDS,
    })
    .from(payments)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, payments.paymentPointId))
    .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
    .leftJoin(storeLogos, eq(storeLogos.storeId, stores.storeId))
    .innerJoin(routes, eq(routes.routeId, payments.routeId))
    .leftJoin(integrationEndpoints, eq(integrationEndpoints.partnerId, payments.partnerId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, payments.partnerId))
    .where(eq(payments.checkoutToken, checkoutToken)),
);

/** Reads what the checkout behind this token shows. One statement, because every page load runs it. */
export async function findCheckout(reader: Reader, checkoutToken: string): Promise<Checkout | undefined> {
  const [row] = await checkoutOf(reader, { checkoutToken });
  if (row === undefined) return undefined;
  const { payment, now, storeName, cardAttempts, emailConfirmation, returnUrl } = row;
  return { payment, now, storeName, logo: logoOf(row), cardAttempts, emailConfirmation, returnUrl, held: heldBy(row) };
}

type LogoColumns = {
  readonly logoSha256: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
};

function logoOf({ logoSha256: sha256, logoWidth: width, logoHeight: height }: LogoColumns): CheckoutLogo | undefined {
  return sha256 === null || width === null || height === null ? undefined : { sha256, width, height };
}
