import type { FailureCode } from '@pay/contract/messages.ts';
import { retryAdviceOf } from '@pay/contract/retry-advice.ts';

/** Card schemes, as far as the card number tells them apart. */
export const SCHEMES = ['visa', 'mastercard', 'other'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** At most so many declined charges within so many hours; the next one has to wait. */
export type RetryLimit = { readonly declines: number; readonly hours: number };
export type RetryLimits = Readonly<Record<Scheme, readonly RetryLimit[]>>;

/** A charge that ended without money. */
export type Decline = { readonly failureCode: FailureCode; readonly endedAt: Date };

/** The earliest time of the next attempt; null if this card must not be charged again. */
export type RetryRefusal = { readonly notBefore: Date | null };

const HOUR_MS = 3_600_000;

/** Derived from the first digits of the mask: 4, and 51 to 55 or 2221 to 2720. */
export function schemeOf(cardMask: string | null): Scheme {
  const digits = cardMask?.slice(0, 4) ?? '';
  if (digits.startsWith('4')) return 'visa';
  const isMastercard = (digits >= '5100' && digits <= '5599') || (digits >= '2221' && digits <= '2720');
  return isMastercard ? 'mastercard' : 'other';
}

/**
 * Why a charge may not be retried at `now`, given the `declines` since the last success, newest first; undefined if it
 * may. See spec/decisions#repeat-of-a-declined-recurring-charge and decisions/recurring-charges.
 */
export function retryRefusal(declines: readonly Decline[], limits: readonly RetryLimit[], now: Date): RetryRefusal | undefined {
  const counted = declines.filter(({ failureCode }) => retryAdviceOf(failureCode) !== 'RETRY_ANY_TIME');
  const [newest] = counted;
  if (newest === undefined) return undefined;
  if (retryAdviceOf(newest.failureCode) === 'DO_NOT_RETRY') return { notBefore: null };
  const until = limits.flatMap(({ declines: most, hours }) => {
    // The window has room again once the decline that fills it has left it.
    const filling = counted[most - 1];
    return filling === undefined ? [] : [filling.endedAt.getTime() + hours * HOUR_MS];
  });
  const latest = Math.max(...until);
  return latest > now.getTime() ? { notBefore: new Date(latest) } : undefined;
}
