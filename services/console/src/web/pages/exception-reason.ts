import type { ReconciliationException } from '@pay/contract/operator/exceptions.ts';
import type { ExceptionKind } from '@pay/contract/operator/states.ts';
import { t, type Plain } from '../text.ts';

const REASONS = {
  LATE_SUCCESS: 'The bank took the money after the payment had ended. It is being returned to the buyer.',
  PAID_TWICE:
    'The bank took money for this order more than once, or for a card or code that no longer counted. The surplus is being returned to the buyer.',
  AMOUNT_MISMATCH: 'The bank took a different amount or currency.',
  NOT_AUTHENTICATED: 'The bank took money from a buyer who was not authenticated, although the point declines such buyers.',
  RETURN_FAILED:
    'Money that belongs to no order was not returned, or the bank doesn’t say whether it was. If it is still there, refund it in the bank’s cabinet; then resolve this.',
  REFUND_MISMATCH: 'The bank refunded a different amount or currency.',
  MISSING_HERE: 'The bank has an operation that we do not have.',
  MISSING_THERE: 'We have an operation that the bank does not have.',
  STATE_MISMATCH: 'We and the bank disagree about whether money moved.',
  OUTCOME_UNKNOWN: 'The bank doesn’t say what became of this. Look in its cabinet, before any more of the payment is returned.',
} as const satisfies Record<ExceptionKind, Plain>;

/** What is wrong, in the reader's language. The service's own sentence, `reason`, is English, and stands in exports. */
export function reasonOf(exception: ReconciliationException): string {
  const reason = t(textOf(exception));
  return exception.date === null ? reason : t('Register of {date}. {reason}', { date: exception.date, reason });
}

function textOf({ kind, paymentId, unknownOperation }: ReconciliationException): Plain {
  if (unknownOperation?.kind === 'PAYMENT') return 'The bank has a payment that we do not have.';
  if (unknownOperation?.kind === 'REFUND') return 'The bank has a refund that we do not have.';
  if (kind === 'RETURN_FAILED' && paymentId === null) {
    return 'The bank declined to return the money of an unknown order. Return it again; or refund it in the bank’s cabinet, reconcile that day, and then return this: the refund is booked.';
  }
  return REASONS[kind];
}
