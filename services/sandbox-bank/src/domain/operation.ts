import type { Authentication } from './authentication.ts';
import type { OperationStatus } from './operation-status.ts';

/** Why an operation did not end in money: the words that merchants are told. See spec/decisions#failure-codes. */
export type Reason =
  | 'INSUFFICIENT_FUNDS'
  | 'CARD_EXPIRED'
  | 'CARD_BLOCKED'
  | 'INVALID_CARD_DETAILS'
  | 'AUTHENTICATION_FAILED'
  | 'DECLINED_BY_ISSUER'
  | 'ISSUER_UNAVAILABLE'
  | 'PROCESSING_ERROR'
  | 'CANCELLED_BY_CUSTOMER'
  | 'SESSION_EXPIRED';

export type OperationKind = 'ORDER' | 'CHARGE' | 'REFUND';
export type PaymentMethod = 'CARD' | 'SBP';

/** One operation as the bank remembers it; with what the issuer said of the buyer, where he was asked. */
export type Operation = { readonly [Field in keyof Authentication]: Authentication[Field] | null } & {
  /** The merchant's id of the operation. */
  readonly operationId: string;
  /** The bank's own id, not guessable: the SBP page is found by it. */
  readonly bankOperationId: string;
  readonly kind: OperationKind;
  readonly method: PaymentMethod;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly description: string;
  /** Where the buyer is sent back to; orders only. */
  readonly returnUrl: string | null;
  /** When an unpaid order ends; orders only. */
  readonly expiresAt: Date | null;
  /** A PENDING operation that approves itself at this moment. */
  readonly approvesAt: Date | null;
  /** What a refund pays back. */
  readonly originalOperationId: string | null;
  /** `220070******1234`. The number itself is never kept. */
  readonly cardMask: string | null;
  /** `2028-09`. */
  readonly cardExpiry: string | null;
  /** Of the card that this order saves, once it is approved. */
  readonly cardToken: string | null;
  /** The issuer has looked at the buyer's browser (3DS Method). */
  readonly threeDsMethodRan: boolean;
  /** Finds the 3-D Secure page; not guessable. */
  readonly threeDsId: string | null;
  /** How many of the next read-backs the bank leaves without an answer. */
  readonly unansweredReads: number;
  /** Of kind and parameters: the same id with other ones is refused. */
  readonly requestSha256: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Whether the bank answers the call at all, or only its state tells what happened. */
export type Answer = 'GIVEN' | 'WITHHELD';
