/** Why a person has to look. */
export type ExceptionKind =
  /** Money came after the payment had ended; it is on its way back. */
  | 'LATE_SUCCESS'
  /** The bank took another amount or currency than ours. */
  | 'AMOUNT_MISMATCH'
  /** Late money could not be given back. */
  | 'RETURN_FAILED'
  /** The bank gave back another amount than ours. */
  | 'REFUND_MISMATCH'
  /** The bank has an operation that we do not know. */
  | 'MISSING_HERE'
  /** We have an operation that the bank does not know. */
  | 'MISSING_THERE'
  /** Money moved on one side only. */
  | 'STATE_MISMATCH';

/** What comparing one operation gave. IN_PROGRESS: one side is not final yet, and no money is in question. */
export type ReconciliationResult =
  'MATCHED' | 'IN_PROGRESS' | 'MISSING_HERE' | 'MISSING_THERE' | 'DIFFERENT_AMOUNT' | 'DIFFERENT_STATE';

/** What a person is told where there is nothing more exact to say. */
export const EXCEPTION_REASONS = {
  LATE_SUCCESS: 'The bank took the money after the payment had ended; it is on its way back to the buyer.',
  AMOUNT_MISMATCH: 'The bank took another amount or currency than ours.',
  RETURN_FAILED: 'The money of a late success could not be given back.',
  REFUND_MISMATCH: 'The bank gave back another amount or currency than ours.',
  MISSING_HERE: 'The register of the bank has an operation that we do not know.',
  MISSING_THERE: 'The bank does not know an operation that we have.',
  STATE_MISMATCH: 'The bank and we disagree about whether money moved.',
} as const satisfies Record<ExceptionKind, string>;
