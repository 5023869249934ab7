import type { FailureCode } from '@pay/contract/messages.ts';
import { retryAdviceOf } from '@pay/contract/retry-advice.ts';

/** Whose rules a card is under, as far as its number says. */
export const SCHEMES = ['visa', 'mastercard', 'other'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** So many declined charges at most within so many hours; the next one waits. */
export type RetryLimit = { readonly declines: number; readonly hours: number };
export type RetryLimits = Readonly<Record<Scheme, readonly RetryLimit[]>>;

/** A charge that ended without money. */
export type Decline = { readonly failureCode: FailureCode; readonly endedAt: Date };

/** The earliest moment of the next attempt; null: not with this card. */
export type RetryRefusal = { readonly notBefore: Date | null };

const HOUR_MS = 3_600_000;

/** By the first digits of the mask: 4, and 51 to 55 or 2221 to 2720. */
export function schemeOf(cardMask: string | null): Scheme {
  const digits = cardMask?.slice(0, 4) ?? '';
  if (digits.startsWith('4')) return 'visa';
  const isMastercard = (digits >= '5100' && digits <= '5599') || (digits >= '2221' && digits <= '2720');
  return isMastercard ? 'mastercard' : 'other';
}

/**
 * Why a charge may not be tried again at `now`, after `declines` since the last one that succeeded, the newest first;
 * undefined when it may. See spec/decisions#repeat-of-a-declined-recurring-charge and ADR 0131.
 */
export function retryRefusal(
  declines: readonly Decline[],
  limits: readonly RetryLimit[],
  now: Date,
): RetryRefusal | undefined {
  const counted = declines.filter(({ failureCode }) => retryAdviceOf(failureCode) !== 'RETRY_ANY_TIME');
  const [newest] = counted;
  if (newest === undefined) return undefined;
  if (retryAdviceOf(newest.failureCode) === 'DO_NOT_RETRY') return { notBefore: null };
  const until = limits.flatMap(({ declines: most, hours }) => {
    // The window is free again when the one that fills it has left it.
    const filling = counted[most - 1];
    return filling === undefined ? [] : [filling.endedAt.getTime() + hours * HOUR_MS];
  });
  const latest = Math.max(...until);
  return latest > now.getTime() ? { notBefore: new Date(latest) } : undefined;
}
