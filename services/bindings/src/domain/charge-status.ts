import { FAILED_STATUSES, type PaymentStatus } from '@pay/contract/states.ts';

/**
 * A charge is a payment as seen from here: it occupies the binding's slot until it is final. See
 * spec/service-contract#payment-states.
 */
export const OPEN_CHARGE_STATUSES = ['CREATED', 'SUBMITTED', 'PENDING'] as const satisfies readonly PaymentStatus[];
export const FINAL_CHARGE_STATUSES = ['COMPLETED', ...FAILED_STATUSES] as const;

export type OpenChargeStatus = (typeof OPEN_CHARGE_STATUSES)[number];
export type FinalChargeStatus = (typeof FINAL_CHARGE_STATUSES)[number];
export type ChargeStatus = OpenChargeStatus | FinalChargeStatus;

/**
 * Why an accepted charge must not be made any more: the failureCode of its payment.failed. See
 * decisions/recurring-charges.
 */
export type WithdrawalReason = 'CONSENT_REVOKED' | 'PROCESSING_ERROR';

/** Whether `to` is further along; a charge never goes back. */
export function isFurther(from: OpenChargeStatus, to: OpenChargeStatus): boolean {
  return OPEN_CHARGE_STATUSES.indexOf(to) > OPEN_CHARGE_STATUSES.indexOf(from);
}
