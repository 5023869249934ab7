import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { WhenNotAuthenticated } from '@pay/contract/operator/states.ts';
import type { AcquirerResult, RefundResult } from '../domain/acquiring/acquirer-result.ts';
import type { Fence } from '../domain/acquiring/fence.ts';
import type { ThreeDsPreparation } from '../domain/acquiring/three-ds.ts';
import type { RegisterEntry } from '../domain/reconciliation/reconciliation.ts';
import type { Unanswered } from './bank-client.ts';

/**
 * The port to the bank side. Every call carries our operation id (the payment's or the refund's own id), so repeating it
 * with the same parameters is safe. A call never throws for what the bank did or did not answer: see AcquirerResult.
 *
 * One deadline spans all that a connector sends for one operation. What may move money asks the fence immediately before
 * each call that does, and ends `fenced` when somebody else has taken over (ADR 0070).
 */
export type Acquirer = {
  /** False while the breaker is open: the bank is known to be down and nothing would be sent. */
  readonly isAvailable: boolean;
  /** False, besides, while as many orders and charges wait at the bank as may: the next one would not be sent. */
  readonly takesOrders: boolean;
  /** Whether it has receipts of 54-FZ made: false refuses a payment that wants one. */
  readonly takesReceipts: boolean;
  /** Announces an order: nothing is paid yet. Answers `registered`. */
  register(order: Order, fence: Fence): Promise<AcquirerResult>;
  /** What the bank says of a card before it is sent. Moves nothing, and may be repeated. */
  prepareThreeDs(operationId: string, card: CardDetails): Promise<Prepared | Unanswered>;
  /** Tries the card the buyer typed. `pending` with an `acsUrl` when 3-D Secure is needed. */
  authorize(authorization: Authorization, fence: Fence): Promise<AcquirerResult>;
  /** The buyer came back from the 3-D Secure page: makes the bank look how it went, and says it. */
  confirmThreeDs(operationId: string, fence: Fence, wanted?: WantedFacts): Promise<AcquirerResult>;
  /** Charges a saved card without the buyer: initiator MERCHANT, recurring. */
  charge(charge: Charge, fence: Fence): Promise<AcquirerResult>;
  /** Registers an order that the buyer pays by an SBP QR. Answers `registered` with `nspkUrl`. */
  createQr(order: Order, fence: Fence): Promise<AcquirerResult>;
  /** What the bank knows about an operation; `absent` when it never arrived. */
  read(operationId: string, wanted?: WantedFacts): Promise<AcquirerResult>;
  /** Pays back a part or all of a confirmed operation. */
  refund(refund: AcquirerRefund, fence: Fence): Promise<RefundResult>;
  /** What the bank knows about a refund; `absent` when it never arrived, or when sending it again is safe. */
  readRefund(refund: AcquirerRefund): Promise<RefundResult>;
  /**
   * Withdraws whatever else of a paid order could still be paid, but for the bank's own payment that is kept. Answers the
   * state it is in afterwards. A bank that knows an order as one operation has nothing to withdraw.
   */
  cancelOthers(operationId: string, keptBankOperationId: string, fence: Fence): Promise<AcquirerResult>;
  /** Withdraws an order that is not paid. Answers the state it is in afterwards, `confirmed` if it was paid after all. */
  cancel(operationId: string, fence: Fence): Promise<AcquirerResult>;
  /** A page of the bank's register of a day (`2026-11-21`, UTC) behind `after`; undefined: this bank has none to read. */
  readonly readRegister: ((day: string, after?: string) => Promise<RegisterPage | Unanswered>) | undefined;
};

/** What a read should not leave out, even if that takes a further call. */
export type WantedFacts = {
  /** The token of a card that the payment saves: without it the answer is `unknown`. */
  readonly savedCard?: boolean;
  /** How the buyer's visit at the 3-D Secure page ended: he was sent there. */
  readonly challenge?: boolean;
};

export type RegisterPage = {
  readonly kind: 'page';
  readonly entries: readonly RegisterEntry[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
};

/** The acquirer of a route; undefined when no connector serves it here. */
export type AcquirerOf = (route: { readonly routeId: string; readonly connector: string }) => Acquirer | undefined;

export type Order = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly expiresAt: Date;
  /** Where the bank sends the buyer after its own pages. */
  readonly returnUrl: string;
  /** The card that pays it may be saved: some banks want to know before they see one. */
  readonly savesCard?: boolean;
  /** To be made when it is paid. */
  readonly receipt?: Receipt | null;
};

/** Card details in memory on their way to the bank. Never stored, logged or echoed. */
export type CardDetails = {
  /** 13 to 19 digits. */
  readonly number: string;
  /** 1 to 12. */
  readonly expiryMonth: number;
  /** Four digits. */
  readonly expiryYear: number;
  readonly cvv: string;
};

export type Authorization = {
  readonly operationId: string;
  readonly card: CardDetails;
  /** Ask the bank for a token of this card. */
  readonly saveCard: boolean;
  /** Where the 3-D Secure page sends the buyer's browser, by GET or POST. */
  readonly returnUrl: string;
  /** DECLINE: the bank takes no money of a buyer whom it knows not to be authenticated, and ends AUTHENTICATION_FAILED. */
  readonly whenNotAuthenticated: WhenNotAuthenticated;
  /** What `prepareThreeDs` said of this card; absent: it was not asked. */
  readonly prepared?: ThreeDsPreparation;
  /** The issuer's 3DS Method told the buyer's browser that it is done. */
  readonly isMethodDone?: boolean;
  readonly buyer?: Buyer;
};

/** Of a buyer and his browser, as far as known: 3-D Secure 2 passes it to the issuer. */
export type Buyer = {
  readonly address?: string | undefined;
  /** Of our page. */
  readonly language: 'ru' | 'en';
  /** Headers of his browser, printable ASCII. */
  readonly userAgent?: string | undefined;
  readonly accept?: string | undefined;
  /** What our page measured; undefined without its script. */
  readonly browser?: BrowserFacts | undefined;
};

/** As EMV 3-D Secure takes them. */
export type BrowserFacts = {
  /** In bits: 1, 4, 8, 15, 16, 24, 32 or 48. */
  readonly colorDepth: number;
  /** In pixels. */
  readonly screenHeight: number;
  readonly screenWidth: number;
  /** West of UTC: Moscow is -180. */
  readonly timezoneOffsetMinutes: number;
  /** BCP 47, eight characters at most. */
  readonly language: string;
  readonly isJavaEnabled: boolean;
};

export type Prepared = { readonly kind: 'prepared'; readonly preparation: ThreeDsPreparation };

export type Charge = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly cardToken: string;
  readonly receipt?: Receipt | null;
};

export type AcquirerRefund = {
  readonly operationId: string;
  readonly originalOperationId: string;
  /** Which of the bank's own payments of the order the money goes back of. */
  readonly bankOperationId: string | null;
  readonly amountKopecks: bigint;
  /** Of what goes back; none of the whole of a payment: the bank has that one. */
  readonly receipt?: Receipt | null;
};
