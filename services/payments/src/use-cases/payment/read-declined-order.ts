import type { DeclinedCard } from '../../db/payment/declined-cards.ts';
import { findPayment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { recordOutcome } from './record-outcome.ts';

/**
 * Reads the order of a declined card at the bank and returns the answer. Money that the bank took for it after all is returned; the payment
 * itself stays as it is. See decisions/orders-of-a-payment.
 */
export async function readDeclinedOrder(
  deps: Deps,
  { paymentId, operationId }: Pick<DeclinedCard, 'paymentId' | 'operationId'>,
): Promise<Outcome> {
  const payment = await findPayment(deps.db, paymentId);
  const acquirer = payment === undefined ? undefined : await findAcquirer(deps, payment.routeId);
  if (acquirer === undefined) return { kind: 'not-sent' };
  const outcome = await acquirer.read(operationId);
  await recordOutcome(deps, { paymentId, operationId }, outcome);
  return outcome;
}
