import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { pageOf } from './page-of.ts';

/**
 * Whether the fields come from the form that the payment's page shows now. A second click, or another tab, may send a form from before the
 * last card was declined: that one is answered with the page as it is.
 */
export function isCurrentForm(payment: CheckoutPayment, fields: URLSearchParams): boolean {
  return pageOf(payment) === 'card' && (fields.get('declined') ?? '0') === String(payment.ordersLeft ?? 0);
}
