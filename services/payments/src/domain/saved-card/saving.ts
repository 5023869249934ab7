import type { ChargePeriod } from '@pay/contract/messages.ts';

/** The shop's evidence that the buyer agreed. See spec/service-contract#recurringconsent/capture. */
export type MerchantConsent = {
  readonly reference: string;
  readonly version: string;
  readonly acceptedAt: Date;
  /** Lowercase hex SHA-256 of what the shop showed. */
  readonly evidenceHash: string;
};

/** A card to be saved with its first payment. Without `merchant`, our own page asks the buyer. */
export type Saving = { readonly period: ChargePeriod; readonly merchant?: MerchantConsent };

/** The same clock skew that a signed request may have. */
const ACCEPTED_AHEAD_MS = 5 * 60_000;

/** Whether the consent is dated in the future. */
export function isAcceptedAhead({ acceptedAt }: MerchantConsent, now: Date): boolean {
  return acceptedAt.getTime() > now.getTime() + ACCEPTED_AHEAD_MS;
}
