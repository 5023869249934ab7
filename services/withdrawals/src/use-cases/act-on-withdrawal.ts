import type { Db } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { bookReserveEnd } from '../db/ledger.ts';
import { appendAudit } from '../db/audit-log.ts';
import { lockWithdrawal, moveWithdrawal, type Withdrawal, type WithdrawalChange } from '../db/withdrawals.ts';
import { bookingOf } from '../domain/ledger.ts';
import { decideAction, type ActionDecision, type OperatorAction } from '../domain/operator-action.ts';
import { publishWithdrawal } from './publish-withdrawal.ts';

/** How long a request belongs to the operator who took it. Taking it again renews this. */
const TAKEN_MS = 30 * 60_000;

/** `stale`: nothing was done, because the request has changed since the operator saw it. */
export type ActionOutcome = { readonly kind: 'done' | 'stale'; readonly withdrawal: Withdrawal };

type Asked = {
  readonly operator: Operator;
  readonly withdrawalRequestId: string;
  /** The revision that the operator saw. */
  readonly revision: number;
  readonly action: OperatorAction;
};

/**
 * Performs one operator action: status, ledger, balance and audit row together, or nothing.
 * @throws ApiError 404; 403 if it takes a different person; 400 for a move that does not exist, approval of a transfer to
 * a revoked recipient, or a transfer reference already used
 */
export async function actOnWithdrawal(db: Db, asked: Asked): Promise<ActionOutcome> {
  const { operator, withdrawalRequestId, revision, action } = asked;
  const act = inTransaction(db, async (tx): Promise<ActionOutcome> => {
    const seen = await lockWithdrawal(tx, withdrawalRequestId);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    if (seen.revision !== revision) return { kind: 'stale', withdrawal: seen };
    const now = await clock(tx);
    const decision = decideAction(seen, action.kind, operator, now);
    if (decision.kind === 'refuse') throw refusal(decision.reason, seen, action.kind);
    const to = decision.kind === 'move' ? decision.to : seen.status;
    const withdrawal = await moveWithdrawal(tx, seen, to, changeOf(action, operator, now));
    if (decision.kind === 'move') await publishWithdrawal(tx, withdrawal);
    const booking = decision.kind === 'move' ? bookingOf(decision.effect) : undefined;
    const { storeId, amountMicroUsdt, partnerId } = seen;
    if (booking !== undefined) await bookReserveEnd(tx, booking, { referenceId: withdrawalRequestId, storeId, amountMicroUsdt });
    await appendAudit(tx, {
      operator: operator.login,
      action: `withdrawal.${action.kind}`,
      subjectId: withdrawalRequestId,
      partnerId,
      before: auditState(seen),
      after: auditState(withdrawal),
    });
    return { kind: 'done', withdrawal };
  });
  return act.catch((error: unknown) => {
    throw refusalOf(violatedConstraint(error)) ?? error;
  });
}

/** What the database refused to store. Completing to a revoked recipient is not among it: the transfer may have been made before. */
function refusalOf(constraint: string | undefined): ApiError | undefined {
  switch (constraint) {
    case 'withdrawals_transfer_reference':
      return invalidField('transferReference', 'has already been used for another withdrawal request');
    case 'withdrawals_recipient_is_issued':
      return invalidField('status', 'approve is not possible: the recipient was revoked');
    default:
      return undefined;
  }
}

function changeOf(action: OperatorAction, { login, notIndependentOf }: Operator, now: Date): WithdrawalChange {
  const released = { takenBy: null, takenUntil: null };
  switch (action.kind) {
    case 'take':
      return { takenBy: login, takenUntil: new Date(now.getTime() + TAKEN_MS) };
    case 'approve':
      return {
        ...released,
        reviewedBy: login,
        reviewerNotIndependentOf: [...notIndependentOf],
        reviewedAt: now,
      };
    case 'reject':
      return { ...released, reviewedBy: login, reviewedAt: now, statusReason: action.reason };
    case 'cancel':
      return { cancelledBy: 'OPERATOR', statusReason: action.reason };
    case 'fail':
      return { failedBy: login, statusReason: action.reason };
    case 'complete':
      return { completedBy: login, completedAt: now, transferReference: action.transferReference };
  }
}

function refusal(
  reason: Extract<ActionDecision, { kind: 'refuse' }>['reason'],
  seen: Withdrawal,
  action: OperatorAction['kind'],
): ApiError {
  switch (reason) {
    case 'no-such-move':
      return invalidField('status', `${action} is not possible: the request is ${seen.status}`);
    case 'held-by-another':
      return new ApiError('FORBIDDEN', { text: 'another operator is reviewing this request' });
    case 'not-held':
      return new ApiError('FORBIDDEN', { text: 'take the request first: nobody is reviewing it any more' });
    case 'same-person':
      return new ApiError('FORBIDDEN', {
        text: 'an approved request must be completed or failed by a second person, independent of the one who approved it',
      });
  }
}

function auditState(withdrawal: Withdrawal) {
  const { status, revision, takenBy, takenUntil, statusReason, transferReference } = withdrawal;
  return { status, revision, takenBy, takenUntil: takenUntil?.toISOString() ?? null, statusReason, transferReference };
}
