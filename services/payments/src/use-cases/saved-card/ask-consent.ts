import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';

/**
 * Whether the buyer still agrees to a charge that is about to go to the bank. Bindings is asked each time, because only
 * its database is up to date: this service may have been down when the binding was revoked. `unknown`: it did not
 * answer, so nothing is sent now. `unwanted`: it waits for no such charge, or for another one. If the card has expired since
 * the charge was accepted, the bank decides. See decisions/recurring-charges.
 */
export async function askConsent(
  deps: Deps,
  { partnerId, bindingId, paymentId }: Pick<Payment, 'partnerId' | 'bindingId' | 'paymentId'>,
): Promise<'stands' | 'revoked' | 'unwanted' | 'unknown'> {
  if (bindingId === null) throw new Error('a charge names no binding');
  const binding = await deps.bindings.read(partnerId, bindingId);
  if (binding === 'absent' || binding === 'unavailable') return 'unknown';
  // The previous version of bindings does not say it.
  if (binding.openPaymentId !== undefined && binding.openPaymentId !== paymentId) return 'unwanted';
  return binding.status === 'REVOKED' ? 'revoked' : 'stands';
}
