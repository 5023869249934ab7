import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Deps } from '../../deps.ts';

/**
 * Whether the buyer still agrees to a charge that is about to go to the bank. Bindings is asked each time, because only
 * its database knows at once: this service may have been away when the binding was revoked. `unknown`: it does not
 * answer, so nothing is sent now. A card that expired since the charge was accepted is the bank's to judge. ADR 0100.
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
