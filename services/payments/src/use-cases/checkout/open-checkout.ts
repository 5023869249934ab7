import type { ChargePeriod, FailureCode } from '@pay/contract/messages.ts';
import type { PaymentMethod, PaymentStatus } from '@pay/contract/states.ts';
import { findCheckout, type Checkout } from '../../db/checkout/checkouts.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { canAnswerConsent, type Consent } from '../../domain/payment/consent.ts';
import { awaitsNextOrder, declinedOf } from '../../domain/payment/next-card.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { mayChooseSbp } from '../../domain/payment/sbp-order.ts';
import { qrImage } from '../payment/qr-image.ts';
import { isPayer } from './payer.ts';
import { writeSavedCardLink } from '../saved-card/saved-card-link.ts';

/** What the checkout says about saving the card. */
export type CheckoutSaving = {
  readonly period: ChargePeriod;
  readonly consent: Consent;
  /** The buyer may still answer here. */
  readonly canAnswer: boolean;
};

/** The cards of a payment that the bank declined, while the buyer may try another one. */
export type CheckoutDeclined = {
  /** Why the bank declined the last of them. */
  readonly failureCode: FailureCode;
  /** The next card is the last one. */
  readonly isLastAttempt: boolean;
};

/** How a buyer pays by SBP: the link that opens their bank, and the same link as a QR code. */
export type FormCode = { readonly link: string; /** A PNG data URI. */ readonly image: string };

/** A payment as the checkout shows it. */
export type CheckoutPayment = {
  readonly paymentId: string;
  readonly checkoutToken: string;
  readonly method: PaymentMethod;
  readonly storeName: string;
  readonly merchantOrderId: string;
  readonly description: string;
  readonly amountKopecks: bigint;
  /** PENDING from the moment a card is sent to the bank, so that nobody is asked for a card twice. */
  readonly status: PaymentStatus;
  readonly expiresAt: Date;
  /** The database's time, to compare `expiresAt` with. */
  readonly now: Date;
  readonly failureCode?: FailureCode;
  /** The order for the next card, or for SBP, is not registered at the bank yet. */
  readonly isPreparing?: boolean;
  /** How many orders were left behind: what is sent from a page that was shown before the last of them ended does nothing. */
  readonly ordersLeft?: number;
  /** The buyer of a card payment chose SBP, and may choose the card again. */
  readonly isSbpChosen?: boolean;
  /** The buyer of a card payment may choose SBP. */
  readonly offersSbp?: boolean;
  /** Absent if the bank has declined no card. */
  readonly declined?: CheckoutDeclined;
  /** The bank's 3-D Secure page, while the buyer has to go there. */
  readonly acsUrl?: string;
  /** What the buyer's browser posts there (EMV 3-D Secure, CReq); absent: a plain visit. */
  readonly acsRequest?: string;
  readonly cardMask?: string;
  /** Of a QR payment, while it can be paid. */
  readonly code?: FormCode;
  /** Whether the buyer agreed to save the card; absent for an ordinary payment. */
  readonly saving?: CheckoutSaving;
  /**
   * The payment saved a card. `link` opens the page where the buyer sees and revokes it. It is set only in the browser that sent the
   * card, because the shop knows the address of this page too.
   */
  readonly savedCard?: { readonly link: string | undefined };
  /** The shop's return address; absent if none was given. */
  readonly returnUrl?: string;
  /** The partner, point or route is suspended or closed: nothing new is paid here. */
  readonly isHeld?: boolean;
  readonly environment: 'TEST' | 'LIVE';
};

/** How long after its session an ended payment is still shown: buyers may want to look it up, but not forever. */
export const SHOWN_AFTER_SESSION_MS = 30 * 86_400_000;

/**
 * What the checkout behind this token shows. Undefined if no payment has the token, or if the payment ended and its session
 * was over 30 days ago. Changes nothing.
 * @param payerKey from the browser's payer cookie
 */
export async function openCheckout(deps: Deps, checkoutToken: string, payerKey?: string): Promise<CheckoutPayment | undefined> {
  const found = await findCheckout(deps.db, checkoutToken);
  if (found === undefined) return undefined;
  const { payment, now } = found;
  const isOver = !isOpen(payment.status) && now.getTime() - payment.expiresAt.getTime() > SHOWN_AFTER_SESSION_MS;
  if (isOver) return undefined;
  const returnUrl = payment.returnUrl ?? found.returnUrl;
  const cardOnItsWay = payment.status === 'SUBMITTED' && payment.cardSentAt !== null;
  return {
    ...savingOf(deps, payment, { now, payerKey }),
    ...bankFactsOf(payment),
    ...ordersOf(found),
    ...(await codeOf(payment)),
    ...(returnUrl === null ? {} : { returnUrl }),
    paymentId: payment.paymentId,
    checkoutToken,
    method: payment.method,
    storeName: found.storeName,
    merchantOrderId: payment.merchantOrderId,
    description: payment.description,
    amountKopecks: payment.amountKopecks,
    status: cardOnItsWay ? 'PENDING' : payment.status,
    ...(found.held === undefined ? {} : { isHeld: true }),
    expiresAt: payment.expiresAt,
    now,
    environment: deps.environment,
  };
}

async function codeOf({ nspkUrl, status }: Payment): Promise<Pick<CheckoutPayment, 'code'>> {
  return nspkUrl === null || status !== 'SUBMITTED' ? {} : { code: { link: nspkUrl, image: await qrImage(nspkUrl) } };
}

type OfOrders = Pick<CheckoutPayment, 'declined' | 'isPreparing' | 'ordersLeft' | 'isSbpChosen' | 'offersSbp'>;

function ordersOf({ payment, now, cardAttempts, offersSbp }: Checkout): OfOrders {
  const { declinedCount, lastDecline: failureCode, isSbpOrder } = payment;
  const isLastAttempt = declinedOf(payment) + 1 >= cardAttempts;
  return {
    ...(failureCode === null ? {} : { declined: { failureCode, isLastAttempt } }),
    ...(declinedCount === 0 ? {} : { ordersLeft: declinedCount }),
    ...(awaitsNextOrder(payment) ? { isPreparing: true } : {}),
    ...(isSbpOrder ? { isSbpChosen: true } : {}),
    ...(offersSbp && mayChooseSbp(payment, now) ? { offersSbp: true } : {}),
  };
}

type Looking = { readonly now: Date; readonly payerKey: string | undefined };

function savingOf(deps: Deps, payment: Payment, { now, payerKey }: Looking): Pick<CheckoutPayment, 'saving' | 'savedCard'> {
  const { savePeriod: period, consent, bindingId, status } = payment;
  if (period === null || consent === null) return {};
  const isSaved = bindingId !== null && (status === 'COMPLETED' || status === 'REFUNDED');
  return {
    saving: { period, consent, canAnswer: canAnswerConsent(payment, now) },
    ...(isSaved ? { savedCard: { link: isPayer(payment, payerKey) ? writeSavedCardLink(deps, bindingId) : undefined } } : {}),
  };
}

function bankFactsOf({ failureCode, acsUrl, acsRequest, cardMask, status }: Payment) {
  return {
    ...(failureCode === null ? {} : { failureCode }),
    ...(acsUrl === null || status !== 'PENDING' ? {} : { acsUrl }),
    ...(acsRequest === null || status !== 'PENDING' ? {} : { acsRequest }),
    ...(cardMask === null ? {} : { cardMask }),
  };
}
