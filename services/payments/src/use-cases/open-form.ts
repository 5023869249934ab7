import type { FailureCode } from '@pay/contract/messages.ts';
import { clock } from '@pay/shared/time/clock.ts';
import { findEndpoints } from '../db/endpoints.ts';
import { findStoreOfPoint } from '../db/payment-points.ts';
import { findPaymentByForm } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import type { PaymentStatus } from '../domain/payment-status.ts';

/** A payment as the hosted form shows it. */
export type FormPayment = {
  readonly paymentId: string;
  readonly formToken: string;
  readonly storeName: string;
  readonly merchantOrderId: string;
  readonly description: string;
  readonly amountKopecks: bigint;
  /** PENDING from the moment a card is on its way to the bank, so that nobody is asked for a card twice. */
  readonly status: PaymentStatus;
  readonly expiresAt: Date;
  /** The database's now, which `expiresAt` is to be compared with. */
  readonly now: Date;
  readonly failureCode?: FailureCode;
  /** The bank's 3-D Secure page while the buyer has to go there. */
  readonly acsUrl?: string;
  readonly cardMask?: string;
  /** Where the shop wants the buyer back; absent when it never said. */
  readonly returnUrl?: string;
  readonly environment: 'TEST' | 'LIVE';
};

/** What the form behind this token shows. Undefined when no payment has the token. Changes nothing. */
export async function openForm(deps: Deps, formToken: string): Promise<FormPayment | undefined> {
  const payment = await findPaymentByForm(deps.db, formToken);
  if (payment === undefined) return undefined;
  const [store, endpoints, now] = await Promise.all([
    findStoreOfPoint(deps.db, payment.paymentPointId),
    findEndpoints(deps.db, payment.partnerId),
    clock(deps.db),
  ]);
  const returnUrl = payment.returnUrl ?? endpoints?.returnUrl;
  const cardOnItsWay = payment.status === 'SUBMITTED' && payment.cardSentAt !== null;
  return {
    paymentId: payment.paymentId,
    formToken,
    storeName: store?.name ?? '',
    merchantOrderId: payment.merchantOrderId,
    description: payment.description,
    amountKopecks: payment.amountKopecks,
    status: cardOnItsWay ? 'PENDING' : payment.status,
    expiresAt: payment.expiresAt,
    now,
    environment: deps.environment,
    ...(payment.failureCode === null ? {} : { failureCode: payment.failureCode }),
    ...(payment.acsUrl === null || payment.status !== 'PENDING' ? {} : { acsUrl: payment.acsUrl }),
    ...(payment.cardMask === null ? {} : { cardMask: payment.cardMask }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
  };
}
