import type { FailureCode, RefundFailureCode } from '@pay/contract/messages.ts';
import type { ThreeDs } from './three-ds.ts';

/** What the bank says about the card, if anything. */
export type CardFacts = {
  /** `220070******1234`. */
  readonly mask: string | null;
  /** `2028-09`. */
  readonly expiry: string | null;
  /** The bank's token of the saved card: a secret. */
  readonly token: string | null;
};

/** The bank said nothing about a card. */
export const NO_CARD: CardFacts = { mask: null, expiry: null, token: null };

/** Money that the bank took with one of its own payments for an order. */
export type Taken = {
  readonly bankOperationId: string;
  readonly amountKopecks: bigint;
  readonly currency: string;
};

/** The money moved. Amount and currency are the bank's; they are compared with ours before anything is booked. */
export type Confirmed = {
  readonly kind: 'confirmed';
  readonly bankOperationId: string;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly card: CardFacts;
  /** What the bank said about the buyer's authentication in this answer. */
  readonly threeDs?: ThreeDs;
  /** What else the bank took for the same order, if it counts payments of its own. */
  readonly alsoTaken?: readonly Taken[];
  /** The bank has other payments for this order that may still be paid. */
  readonly isOpenBesides?: boolean;
};

/** The operation ended without money. */
export type Declined<Code = FailureCode> = {
  readonly kind: 'declined';
  readonly failureCode: Code;
  /** Null when the bank refused the call and has no operation. */
  readonly bankOperationId: string | null;
  readonly card: CardFacts;
  readonly threeDs?: ThreeDs;
  /** The bank has the order for the card after this one. Looked for only where our books may be of an earlier moment. */
  readonly hasNextOrder?: boolean;
};

/** The order was withdrawn and can no longer be paid, or all its money was returned. */
export type Cancelled = {
  readonly kind: 'cancelled';
  readonly bankOperationId: string;
  /** Other payments of the order whose money was returned, if the bank counts payments of its own. */
  readonly alsoReturned?: readonly string[];
};

/** The result of a call about a refund. */
export type RefundResult = AcquirerResult<RefundFailureCode>;

/** The result of a call to the bank. */
export type AcquirerResult<Code = FailureCode> =
  | Confirmed
  | Declined<Code>
  /** The bank is processing it, or waiting for the buyer on its 3-D Secure page. */
  | {
      readonly kind: 'pending';
      readonly bankOperationId: string;
      readonly acsUrl: string | null;
      /** What the buyer's browser must post to the 3-D Secure page (CReq); undefined: a plain visit. */
      readonly acsRequest?: string;
      readonly card: CardFacts;
      readonly threeDs?: ThreeDs;
      /** Of a refund: the bank said so in its answer to this very refund, not of its payment. */
      readonly isAccepted?: boolean;
    }
  /** The bank has the order, and nobody has tried to pay it yet. */
  | { readonly kind: 'registered'; readonly bankOperationId: string; readonly nspkUrl: string | null }
  | Cancelled
  /** The bank does not know the operation. */
  | { readonly kind: 'absent' }
  /** No answer, or an inconclusive one: the operation may have been carried out. Read it back; never guess. */
  | {
      readonly kind: 'unknown';
      /** The bank answered, but nothing that we understand. */ readonly isAnswered?: boolean;
    }
  /** The bank received nothing to act on: the breaker is open, the connection was refused, or time ran out. */
  | { readonly kind: 'not-sent' }
  /** The lease was lost before the decisive call. Whoever holds it now carries on and books the result. */
  | { readonly kind: 'fenced' };
