import type { VelocityRule } from '@pay/contract/operator/states.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { forgetCounting } from '../../db/checkout/card-attempts.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { lockPoint } from '../../db/merchant/payment-points.ts';

export type LetThrough = {
  readonly paymentPointId: string;
  readonly rule: VelocityRule;
  /** Why this is not card testing. */
  readonly reason: string;
};

/**
 * POST /operator/held-back-cards/let-through: resets a rule's count for this point's buyers, so that cards go to the bank
 * again until the limit is reached anew. Recorded with the reason. @returns how many cards were forgotten
 * @throws ApiError NOT_FOUND without the point
 */
export async function letCardsThrough(db: Db, asked: LetThrough, operator: OperatorLogin): Promise<number> {
  const { paymentPointId, rule, reason } = asked;
  return inTransaction(db, async (tx) => {
    if ((await lockPoint(tx, paymentPointId)) === undefined) throw new ApiError('NOT_FOUND');
    const forgotten = await forgetCounting(tx, paymentPointId, rule);
    await insertAction(tx, {
      operator,
      action: 'cards.let-through',
      subjectId: paymentPointId,
      before: { rule, counting: forgotten },
      after: { rule, counting: 0, reason },
    });
    return forgotten;
  });
}
