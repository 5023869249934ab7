import type { BindingStatus } from '@pay/contract/states.ts';
import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';

/** What the acceptance of a charge looks at. */
export type ChargeableBinding = {
  readonly status: BindingStatus;
  /** `2028-09`; null when the bank did not confirm it. */
  readonly cardExpiry: string | null;
  /** The charge that occupies the slot. */
  readonly openPaymentId: string | null;
  readonly nextChargeAt: Date;
};

/** Why a charge is not accepted. `expire`: the card's last month is over, so the binding becomes EXPIRED. */
export type ChargeRefusal =
  | { readonly kind: 'expire' }
  | {
      readonly kind: 'refuse';
      readonly code: ErrorCode;
      /** With PERIOD_NOT_ELAPSED. */
      readonly nextChargeAt?: Date;
      /** With PREVIOUS_CHARGE_NOT_FINISHED: the charge that is not. */
      readonly openPaymentId?: string;
    };

/**
 * Why a binding may not be charged at `now`; undefined when it may. The first check that fails answers, in the order of
 * the error catalogue. The guarded statement that accepts a charge (`occupySlot` of `db/charges.ts`) asks the same, in SQL; a test
 * compares the two. See spec/service-contract#recurring-charge-acceptance-rules and
 * spec/service-contract#binding-states.
 */
export function chargeRefusal(binding: ChargeableBinding, now: Date): ChargeRefusal | undefined {
  if (binding.status === 'REVOKED') return { kind: 'refuse', code: 'BINDING_REVOKED' };
  if (binding.status === 'EXPIRED') return { kind: 'refuse', code: 'BINDING_EXPIRED' };
  if (cardIsExpired(binding.cardExpiry, now)) return { kind: 'expire' };
  const { openPaymentId } = binding;
  if (openPaymentId !== null) return { kind: 'refuse', code: 'PREVIOUS_CHARGE_NOT_FINISHED', openPaymentId };
  if (now < binding.nextChargeAt) {
    return { kind: 'refuse', code: 'PERIOD_NOT_ELAPSED', nextChargeAt: binding.nextChargeAt };
  }
  return undefined;
}

/** A card is good through the last moment of its expiry month, UTC. See spec/decisions#expired-card. */
function cardIsExpired(cardExpiry: string | null, now: Date): boolean {
  return cardExpiry !== null && cardExpiry < now.toISOString().slice(0, 7);
}
