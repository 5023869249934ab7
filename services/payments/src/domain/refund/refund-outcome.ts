import type { RefundFailureCode } from '@pay/contract/messages.ts';
import type { RefundStatus } from '@pay/contract/states.ts';
import type { Confirmed, RefundResult } from '../acquiring/acquirer-result.ts';
import { REFUND_MOVES } from './refund-status.ts';

/** What is needed of a refund to decide what a result means. */
export type RefundOutcomeFacts = {
  readonly status: RefundStatus;
  readonly amountKopecks: bigint;
  /** How often the worker has claimed it: 0 while only the call made by the partner's request can have been sent. */
  readonly readCount: number;
};

/** What the bank's result means for a refund. */
export type RefundOutcomeDecision =
  | { readonly kind: 'complete'; readonly bankOperationId: string }
  | { readonly kind: 'fail'; readonly failureCode: RefundFailureCode; readonly bankOperationId: string | null }
  /** The bank refunded a different amount: an operator must look, and it is never COMPLETED automatically. */
  | { readonly kind: 'mismatch'; readonly confirmed: Confirmed }
  /** Not known yet: ask again later. `acceptedAs`: the bank's id, with which it said that it carries this refund out. */
  | { readonly kind: 'wait'; readonly acceptedAs?: string }
  /** The refund has already ended. */
  | { readonly kind: 'ignore' };

const failed = (failureCode: RefundFailureCode, bankOperationId: string | null = null): RefundOutcomeDecision => ({
  kind: 'fail',
  failureCode,
  bankOperationId,
});

/**
 * What the answer to a refund call, or to a read of the refund, means. `absent` answers a call: the bank does not know the payment. A
 * refund that was never sent is FAILED at once. Of one that may have been sent before, only the bank's word about the refund
 * itself ends it (decisions/refunds): that the bank does not know it now says nothing about a call that is on its way,
 * or was carried out a moment ago.
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
    case 'not-sent':
      return refund.readCount === 0 ? failed('PROCESSING_ERROR') : { kind: 'wait' };
    case 'pending':
      return acceptance(result);
    case 'registered':
    case 'unknown':
      return { kind: 'wait' };
    // Another process is working on the refund and books the result.
    case 'fenced':
      return { kind: 'ignore' };
  }
}

const acceptance = ({ isAccepted, bankOperationId }: Extract<RefundResult, { kind: 'pending' }>): RefundOutcomeDecision =>
  isAccepted === true ? { kind: 'wait', acceptedAs: bankOperationId } : { kind: 'wait' };

function decideConfirmed({ amountKopecks }: RefundOutcomeFacts, confirmed: Confirmed): RefundOutcomeDecision {
  const { bankOperationId } = confirmed;
  const isExact = confirmed.amountKopecks === amountKopecks && confirmed.currency === 'RUB';
  return isExact ? { kind: 'complete', bankOperationId } : { kind: 'mismatch', confirmed };
}
