import { BINDINGS_OPERATIONS } from './operations/bindings.ts';
import { GATEWAY_OPERATIONS } from './operations/gateway.ts';
import { MERCHANT_OPERATIONS } from './operations/merchants.ts';
import { NOTIFIER_OPERATIONS } from './operations/notifier.ts';
import type { OperatorOperation } from './operations/operation.ts';
import { PAYMENT_OPERATIONS } from './operations/payments.ts';
import { WITHDRAWALS_OPERATIONS } from './operations/withdrawals.ts';

/** Every operator route of every service. */
export const OPERATOR_OPERATIONS = {
  gateway: GATEWAY_OPERATIONS,
  payments: [...PAYMENT_OPERATIONS, ...MERCHANT_OPERATIONS],
  bindings: BINDINGS_OPERATIONS,
  withdrawals: WITHDRAWALS_OPERATIONS,
  notifier: NOTIFIER_OPERATIONS,
} as const satisfies Readonly<Record<string, readonly OperatorOperation[]>>;

/** A service with an operator API. */
export type OperatorService = keyof typeof OPERATOR_OPERATIONS;
