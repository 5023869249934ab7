import type { RefundFailureCode } from '@pay/contract/messages.ts';
import type { RefundStatus } from '@pay/contract/states.ts';
import type { Confirmed, RefundResult } from '../acquiring/acquirer-result.ts';
import { REFUND_MOVES } from './refund-status.ts';

/** What settling needs to know of a refund. */
export type RefundOutcomeFacts = {
  readonly status: RefundStatus;
  readonly amountKopecks: bigint;
  /** How often the worker took it up: 0 while only the call that the partner's request makes can have left. */
  readonly readCount: number;
};

/** What follows from the bank's word about a refund. */
export type RefundOutcomeDecision =
  | { readonly kind: 'complete'; readonly bankOperationId: string }
  | { readonly kind: 'fail'; readonly failureCode: RefundFailureCode; readonly bankOperationId: string | null }
  /** The bank gave back another amount than ours: for a person, and never COMPLETED by itself. */
  | { readonly kind: 'mismatch'; readonly confirmed: Confirmed }
  /** Not known yet: asked again. */
  | { readonly kind: 'wait' }
  /** It ended before. */
  | { readonly kind: 'ignore' };

const failed = (failureCode: RefundFailureCode, bankOperationId: string | null = null): RefundOutcomeDecision => ({
  kind: 'fail',
  failureCode,
  bankOperationId,
});

/**
 * What the answer to a refund call, or to a read of the refund, means. `absent` is the answer to a call: the bank does
 * not know the payment. What never left this process is FAILED at once; what may have left is never guessed (ADR 0030).
 */
export function decideRefundOutcome(refund: RefundOutcomeFacts, result: RefundResult): RefundOutcomeDecision {
  if (Object.keys(REFUND_MOVES[refund.status]).length === 0) return { kind: 'ignore' };
  switch (result.kind) {
    case 'confirmed':
      return decideConfirmed(refund, result);
    case 'declined':
      return failed(result.failureCode, result.bankOperationId);
    case 'cancelled':
      return failed('PROCESSING_ERROR', result.bankOperationId);
    case 'absent':
      return failed('PROCESSING_ERROR');
    case 'not-sent':
      return refund.readCount === 0 ? failed('PROCESSING_ERROR') : { kind: 'wait' };
    case 'registered':
    case 'pending':
    case 'unknown':
      return { kind: 'wait' };
    // Another look is at it, and books what comes of it.
    case 'fenced':
      return { kind: 'ignore' };
  }
}

function decideConfirmed({ amountKopecks }: RefundOutcomeFacts, confirmed: Confirmed): RefundOutcomeDecision {
  const { bankOperationId } = confirmed;
  const isExact = confirmed.amountKopecks === amountKopecks && confirmed.currency === 'RUB';
  return isExact ? { kind: 'complete', bankOperationId } : { kind: 'mismatch', confirmed };
}
