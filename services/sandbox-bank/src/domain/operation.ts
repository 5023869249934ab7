import type { Authentication } from './authentication.ts';
import type { OperationStatus } from './operation-status.ts';

/** Why an operation did not end in money, as reported to merchants. See spec/decisions#failure-codes. */
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

/** An operation as the bank stores it, with the result of its authentication if there was one. */
export type Operation = { readonly [Field in keyof Authentication]: Authentication[Field] | null } & {
  /** The merchant's id of the operation. */
  readonly operationId: string;
  /** The bank's own id, unguessable: the SBP page's address contains it. */
  readonly bankOperationId: string;
  readonly kind: OperationKind;
  readonly method: PaymentMethod;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly description: string;
  /** Where the buyer returns to; orders only. */
  readonly returnUrl: string | null;
  /** When an unpaid order expires; orders only. */
  readonly expiresAt: Date | null;
  /** When a PENDING operation approves itself. */
  readonly approvesAt: Date | null;
  /** The operation that a refund pays back. */
  readonly originalOperationId: string | null;
  /** `220070******1234`. The number itself is never stored. */
  readonly cardMask: string | null;
  /** `2028-09`. */
  readonly cardExpiry: string | null;
  /** Token of the card that this order saves, once it is approved. */
  readonly cardToken: string | null;
  /** The issuer has seen the buyer's browser (3DS Method). */
  readonly threeDsMethodRan: boolean;
  /** Identifies the 3-D Secure page; unguessable. */
  readonly threeDsId: string | null;
  /** How many of the next read-backs the bank leaves unanswered. */
  readonly unansweredReads: number;
  /** Hash of kind and parameters: the same id with different ones is refused. */
  readonly requestSha256: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Whether the bank answers the call at all. If not, only its state tells what happened. */
export type Answer = 'GIVEN' | 'WITHHELD';
