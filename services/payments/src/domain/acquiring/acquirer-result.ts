import type { FailureCode, RefundFailureCode } from '@pay/contract/messages.ts';
import type { ThreeDs } from './three-ds.ts';

/** What the bank says about the card, where it does. */
export type CardFacts = {
  /** `220070******1234`. */
  readonly mask: string | null;
  /** `2028-09`. */
  readonly expiry: string | null;
  /** The bank's token of the saved card: a secret. */
  readonly token: string | null;
};

/** Nothing was said about a card. */
export const NO_CARD: CardFacts = { mask: null, expiry: null, token: null };

/** Money that the bank took, by one of its own payments of an order. */
export type Taken = {
  readonly bankOperationId: string;
  readonly amountKopecks: bigint;
  readonly currency: string;
};

/** The money moved. Amount and currency are the bank's words: they are compared with ours before anything is booked. */
export type Confirmed = {
  readonly kind: 'confirmed';
  readonly bankOperationId: string;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly card: CardFacts;
  /** What the bank said of the buyer's authentication, this time. */
  readonly threeDs?: ThreeDs;
  /** What the bank took for the same order besides, where it counts payments of its own. */
  readonly alsoTaken?: readonly Taken[];
  /** The bank has payments of the same order that may still be paid. */
  readonly isOpenBesides?: boolean;
};

/** It ended without money. */
export type Declined<Code = FailureCode> = {
  readonly kind: 'declined';
  readonly failureCode: Code;
  /** Null when the bank refused the call and has no operation. */
  readonly bankOperationId: string | null;
  readonly card: CardFacts;
  readonly threeDs?: ThreeDs;
};

/** What a call about a refund told us. */
export type RefundResult = AcquirerResult<RefundFailureCode>;

/** What a call to the bank told us. */
export type AcquirerResult<Code = FailureCode> =
  | Confirmed
  | Declined<Code>
  /** The bank works on it, or waits for the buyer on its 3-D Secure page. */
  | {
      readonly kind: 'pending';
      readonly bankOperationId: string;
      readonly acsUrl: string | null;
      /** What the buyer's browser has to post to the 3-D Secure page (CReq); undefined: a plain visit. */
      readonly acsRequest?: string;
      readonly card: CardFacts;
      readonly threeDs?: ThreeDs;
    }
  /** The bank has the order and nobody tried to pay it yet. */
  | { readonly kind: 'registered'; readonly bankOperationId: string; readonly nspkUrl: string | null }
  /** The order was withdrawn: it can't be paid any more. */
  | { readonly kind: 'cancelled'; readonly bankOperationId: string }
  /** The bank does not know the operation. */
  | { readonly kind: 'absent' }
  /** No answer, or one that says nothing: it may have been carried out. Read it back; never guess. */
  | { readonly kind: 'unknown' }
  /** Nothing that the bank would act on left this process: the breaker is open, the connection was refused, or time ran out. */
  | { readonly kind: 'not-sent' }
  /** The lease was lost before the call that counts: whoever has it carries on, and books what comes of it. */
  | { readonly kind: 'fenced' };
