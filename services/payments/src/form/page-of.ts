import type { FormPayment } from '../use-cases/open-form.ts';

/** Every page that a payment can be in. */
export type PageName =
  'preparing' | 'card' | 'bank' | 'waiting' | 'paid' | 'refunded' | 'declined' | 'cancelled' | 'expired';

/**
 * Which page shows this payment. A session that is over shows the end page although the payment is not EXPIRED yet: the
 * loop that ends sessions comes by within a minute, and nobody should type a card in the meantime.
 */
export function pageOf(payment: Pick<FormPayment, 'status' | 'expiresAt' | 'now' | 'acsUrl'>): PageName {
  switch (payment.status) {
    case 'CREATED':
      return isOver(payment) ? 'expired' : 'preparing';
    case 'SUBMITTED':
      return isOver(payment) ? 'expired' : 'card';
    case 'PENDING':
      return payment.acsUrl === undefined ? 'waiting' : 'bank';
    case 'COMPLETED':
      return 'paid';
    case 'REFUNDED':
      return 'refunded';
    case 'REJECTED':
    case 'FAILED':
      return 'declined';
    case 'CANCELLED':
      return 'cancelled';
    case 'EXPIRED':
      return 'expired';
  }
}

function isOver(payment: Pick<FormPayment, 'expiresAt' | 'now'>): boolean {
  return payment.now >= payment.expiresAt;
}
