import { invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';

/** Kopecks, both ends inclusive. */
type Limits = { readonly minAmountKopecks: bigint; readonly maxAmountKopecks: bigint };

export const isWithin = (amountKopecks: bigint, { minAmountKopecks, maxAmountKopecks }: Limits): boolean =>
  amountKopecks >= minAmountKopecks && amountKopecks <= maxAmountKopecks;

/**
 * Checks that the amount is within the limits of at least one of the routes. See
 * spec/service-contract#limits/card-amount.
 * @throws ApiError VALIDATION_FAILED that names the lowest and the highest amount that any of them accepts
 */
export function checkAmount(amountKopecks: bigint, limits: readonly Limits[]): void {
  if (limits.some((one) => isWithin(amountKopecks, one))) return;
  const [first, ...rest] = limits;
  if (first === undefined) throw new Error('a payment point has no route');
  const min = rest.reduce((low, one) => (one.minAmountKopecks < low ? one.minAmountKopecks : low), first.minAmountKopecks);
  const max = rest.reduce((high, one) => (one.maxAmountKopecks > high ? one.maxAmountKopecks : high), first.maxAmountKopecks);
  throw invalidField('amount', `must be between ${renderRub(min)} and ${renderRub(max)} RUB at this payment point`);
}
