import type { RefundFailureCode } from '@pay/contract/messages.ts';
import { FAILURES } from '../payment/failure.ts';

/** The normalised reason of a failed refund, for people. See spec/decisions#failure-codes. */
export function refundFailureReason(code: RefundFailureCode): string {
  switch (code) {
    case 'REFUND_PERIOD_EXPIRED':
      return 'The period for refunds of this payment has ended';
    case 'INSUFFICIENT_FUNDS':
      return 'There were insufficient funds for the refund';
    case 'DECLINED_BY_ISSUER':
      return 'The issuer declined the refund';
    case 'PROCESSING_ERROR':
      return 'The refund could not be processed';
    default:
      return FAILURES[code].reason;
  }
}
