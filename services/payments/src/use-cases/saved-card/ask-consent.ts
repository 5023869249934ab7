import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Deps } from '../../deps.ts';

/**
 * Whether the buyer still agrees to a charge that is about to go to the bank. Bindings is asked each time, because only
 * its database is up to date: this service may have been down when the binding was revoked. `unknown`: it did not
 * answer, so nothing is sent now. If the card has expired since the charge was accepted, the bank decides. ADR 0100.
 */
export async function askConsent(
  deps: Deps,
  partnerId: PartnerId,
  bindingId: string,
): Promise<'stands' | 'revoked' | 'unknown'> {
  const binding = await deps.bindings.read(partnerId, bindingId);
  if (binding === 'absent' || binding === 'unavailable') return 'unknown';
  return binding.status === 'REVOKED' ? 'revoked' : 'stands';
}
