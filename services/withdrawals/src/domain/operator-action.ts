import { targetOf } from '@pay/contract/operator/states.ts';
import type { WithdrawalStatus } from '@pay/contract/states.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { isSecondPerson } from '@pay/shared/operators/second-person.ts';
import { effectOfMove, type ReserveEffect } from './withdrawal-status.ts';

/** What an operator asks to do with a withdrawal request. The partner can read a reason. */
export type OperatorAction =
  | { readonly kind: 'take' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject' | 'cancel' | 'fail'; readonly reason: string }
  | { readonly kind: 'complete'; readonly transferReference: string };

/** The facts that an action is decided on. */
export type WithdrawalFacts = {
  readonly status: WithdrawalStatus;
  /** Who is reviewing it, and until when nobody else may. */
  readonly takenBy: string | null;
  readonly takenUntil: Date | null;
  readonly reviewedBy: string | null;
  readonly reviewerNotIndependentOf: readonly string[];
};

export type ActionDecision =
  /** The move is in the table. */
  | { readonly kind: 'move'; readonly to: WithdrawalStatus; readonly effect: ReserveEffect }
  /** It stays under review, but with this operator from now on. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'refuse'; readonly reason: 'no-such-move' | 'held-by-another' | 'not-held' | 'same-person' };

/**
 * Whether this operator may do that now. A request under review belongs to the operator who took it until that expires;
 * then anybody may take it. An approved request is completed or failed by a second person: failing it releases the
 * reserve after a transfer that nobody else had to see. See spec/decisions#withdrawal-states and
 * spec/decisions#who-may-be-the-second-person.
 */
export function decideAction(facts: WithdrawalFacts, action: OperatorAction['kind'], by: Operator, now: Date): ActionDecision {
  const to = targetOf(facts.status, action);
  const isHeld = facts.takenUntil !== null && facts.takenUntil > now;
  if (facts.status === 'IN_REVIEW') {
    if (isHeld && facts.takenBy !== by.login) return { kind: 'refuse', reason: 'held-by-another' };
    if (to === 'IN_REVIEW') return { kind: 'hold' };
    if (!isHeld && to !== undefined) return { kind: 'refuse', reason: 'not-held' };
  }
  const effect = to === undefined ? undefined : effectOfMove(facts.status, to);
  if (to === undefined || effect === undefined) return { kind: 'refuse', reason: 'no-such-move' };
  if (isApprovedWithoutSecondPerson(facts, by)) return { kind: 'refuse', reason: 'same-person' };
  return { kind: 'move', to, effect };
}

function isApprovedWithoutSecondPerson({ status, reviewedBy, reviewerNotIndependentOf }: WithdrawalFacts, by: Operator) {
  if (status !== 'APPROVED' || reviewedBy === null) return false;
  return !isSecondPerson({ login: reviewedBy, notIndependentOf: reviewerNotIndependentOf }, by);
}
