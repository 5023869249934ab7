import type { BindingStatus } from '@pay/contract/states.ts';
import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';

/** The facts that the acceptance of a charge is decided on. */
export type ChargeableBinding = {
  readonly status: BindingStatus;
  /** `2028-09`; null if the bank did not confirm it. */
  readonly cardExpiry: string | null;
  /** The charge that occupies the slot. */
  readonly openPaymentId: string | null;
  readonly nextChargeAt: Date;
};

/** Why a charge is not accepted. `expire`: the card's last month has passed, so the binding becomes EXPIRED. */
export type ChargeRefusal =
  | { readonly kind: 'expire' }
  | {
      readonly kind: 'refuse';
      readonly code: ErrorCode;
      /** Set with PERIOD_NOT_ELAPSED. */
      readonly nextChargeAt?: Date;
      /** Set with PREVIOUS_CHARGE_NOT_FINISHED: the unfinished charge. */
      readonly openPaymentId?: string;
    };

/**
 * Why a binding may not be charged at `now`; undefined if it may. The first failed check decides, in the order of the
 * error catalogue. The guarded statement that accepts a charge (`occupySlot` in `db/charges.ts`) checks the same in
 * SQL; a test compares the two. See spec/service-contract#recurring-charge-acceptance-rules and
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

/** A card is valid through the last moment of its expiry month, UTC. See spec/decisions#expired-card. */
function cardIsExpired(cardExpiry: string | null, now: Date): boolean {
  return cardExpiry !== null && cardExpiry < now.toISOString().slice(0, 7);
}
