import { invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { PaymentPoint, Route } from '../db/payment-points.ts';

/**
 * Spec: "within the limits of the route"; the point's own limits count as well.
 * @throws ApiError VALIDATION_FAILED that names both limits
 */
export function checkAmount(amountKopecks: bigint, point: PaymentPoint, route: Route): void {
  const { minAmountKopecks: a, maxAmountKopecks: c } = point;
  const { minAmountKopecks: b, maxAmountKopecks: d } = route;
  const [min, max] = [a > b ? a : b, c < d ? c : d];
  if (amountKopecks < min || amountKopecks > max) {
    throw invalidField('amount', `must be between ${renderRub(min)} and ${renderRub(max)} RUB at this payment point`);
  }
}
