import { z } from 'zod';
import { DECLINES_MAX } from './db/charges.ts';
import { SCHEMES, type RetryLimit, type RetryLimits } from './domain/charge-retry.ts';

/**
 * The schemes' limits, each at its strictest published figure. Other cards, and those without a known mask, are treated
 * like Visa.
 */
const DEFAULT = 'visa=15/720h mastercard=10/24h,35/720h other=15/720h';
const HOURS_MAX = 720;

/** `CHARGE_RETRY_LIMITS`: at most so many declined charges within so many hours, per card scheme. */
export const retryLimitsText = z
  .string()
  .default(DEFAULT)
  .refine(
    (text) => parse(text) !== undefined,
    `must name each scheme with up to ${String(DECLINES_MAX)} declines within up to ${String(HOURS_MAX)} hours, such as ${DEFAULT}`,
  );

/** Parses a checked text. */
export function retryLimitsOf(text: string): RetryLimits {
  const limits = parse(text);
  if (limits === undefined) throw new Error('the limits were not checked');
  return limits;
}

function parse(text: string): RetryLimits | undefined {
  const given = new Map<string, readonly RetryLimit[]>();
  for (const part of text.trim().split(/\s+/)) {
    const [scheme = '', list = ''] = part.split('=');
    const limits = list.split(',').flatMap(readLimit);
    if (limits.length !== list.split(',').length || given.has(scheme)) return undefined;
    given.set(scheme, limits);
  }
  const [visa, mastercard, other] = SCHEMES.map((scheme) => given.get(scheme));
  if (given.size !== SCHEMES.length || visa === undefined || mastercard === undefined || other === undefined) return undefined;
  return { visa, mastercard, other };
}

function readLimit(text: string): readonly RetryLimit[] {
  const [, declines = '', hours = ''] = /^(\d{1,3})\/(\d{1,3})h$/.exec(text) ?? [];
  const limit = { declines: Number(declines), hours: Number(hours) };
  const isGood = limit.declines >= 1 && limit.declines <= DECLINES_MAX && limit.hours >= 1 && limit.hours <= HOURS_MAX;
  return isGood ? [limit] : [];
}
