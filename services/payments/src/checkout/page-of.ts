import type { PaymentStatus } from '@pay/contract/states.ts';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';

/** Every page that a payment can have. */
export type PageName =
  | 'preparing'
  | 'consent'
  | 'card'
  | 'qr'
  | 'bank'
  | 'waiting'
  | 'paid'
  | 'refunded'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'held';

/** The pages of payments that have ended. */
const END_PAGES = {
  COMPLETED: 'paid',
  REFUNDED: 'refunded',
  REJECTED: 'declined',
  FAILED: 'declined',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const satisfies Record<Exclude<PaymentStatus, 'CREATED' | 'SUBMITTED' | 'PENDING'>, PageName>;

/**
 * The page for this payment. Once the session is over this is the end page, even if the payment is not EXPIRED yet: the
 * loop that ends sessions runs within a minute, and nobody should enter a card in the meantime.
 */
export function pageOf(payment: PageFacts): PageName {
  const { status, expiresAt, now, acsUrl, saving } = payment;
  const instead = now >= expiresAt ? 'expired' : heldPage(payment);
  switch (status) {
    case 'CREATED':
      if (instead !== undefined) return instead;
      return saving?.consent === 'AWAITED' ? 'consent' : 'preparing';
    case 'SUBMITTED':
      return instead ?? formPage(payment);
    case 'PENDING':
      return acsUrl === undefined ? 'waiting' : 'bank';
    default:
      return END_PAGES[status];
  }
}

/** The page on which the buyer pays, once the bank has the order. */
function formPage({ method, isSbpChosen, code, isPreparing }: PageFacts): PageName {
  if (method === 'SBP_DYNAMIC_QR' || isSbpChosen === true) return code === undefined ? 'preparing' : 'qr';
  return isPreparing === true ? 'preparing' : 'card';
}

/** The page shown instead while nothing new may be paid. */
const heldPage = ({ isHeld }: PageFacts) => (isHeld === true ? 'held' : undefined);

type PageFacts = Pick<
  CheckoutPayment,
  'method' | 'status' | 'expiresAt' | 'now' | 'acsUrl' | 'saving' | 'code' | 'isPreparing' | 'isSbpChosen' | 'isHeld'
>;
