import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { WhenNotAuthenticated } from '@pay/contract/operator/states.ts';
import type { AcquirerResult, RefundResult } from '../domain/acquiring/acquirer-result.ts';
import type { Fence } from '../domain/acquiring/fence.ts';
import type { ThreeDsPreparation } from '../domain/acquiring/three-ds.ts';
import type { RegisterEntry } from '../domain/reconciliation/reconciliation.ts';
import type { Unanswered } from './bank-client.ts';

/**
 * The port to an acquirer. Every call carries our operation id (the id of the payment or refund), so repeating it
 * with the same parameters is safe. A call never throws because of the bank's answer, or the lack of one: see AcquirerResult.
 *
 * One deadline spans everything that a connector sends for one operation. An operation that may move money checks the fence
 * immediately before each such call, and ends `fenced` if somebody else has taken over (decisions/leases-and-fences).
 */
export type Acquirer = {
  /** False while the breaker is open: the bank is considered down, and nothing would be sent. */
  readonly isAvailable: boolean;
  /** False, in addition, while the limit of concurrent orders and charges is reached: the next one would not be sent. */
  readonly takesOrders: boolean;
  /** Whether it issues 54-FZ receipts. If not, a payment with a receipt is refused. */
  readonly takesReceipts: boolean;
  /** Registers an order; nothing is paid yet. Returns `registered`. */
  register(order: Order, fence: Fence): Promise<AcquirerResult>;
  /** Asks the bank about a card before it is sent. Moves no money, and may be repeated. */
  prepareThreeDs(operationId: string, card: CardDetails): Promise<Prepared | Unanswered>;
  /** Sends the card that the buyer entered. Returns `pending` with an `acsUrl` if 3-D Secure is needed. */
  authorize(authorization: Authorization, fence: Fence): Promise<AcquirerResult>;
  /** Called when the buyer is back from the 3-D Secure page: makes the bank check the result, and returns it. */
  confirmThreeDs(operationId: string, fence: Fence, wanted?: WantedFacts): Promise<AcquirerResult>;
  /** Charges a saved card without the buyer: initiator MERCHANT, recurring. */
  charge(charge: Charge, fence: Fence): Promise<AcquirerResult>;
  /** Registers an order that the buyer pays by SBP QR code. Returns `registered` with `nspkUrl`. */
  createQr(order: Order, fence: Fence): Promise<AcquirerResult>;
  /** Reads an operation at the bank; `absent` if it never arrived. */
  read(operationId: string, wanted?: WantedFacts): Promise<AcquirerResult>;
  /** Refunds a part or all of a confirmed operation. */
  refund(refund: AcquirerRefund, fence: Fence): Promise<RefundResult>;
  /** Reads a refund at the bank; `absent` if it never arrived, or if sending it again is safe. */
  readRefund(refund: AcquirerRefund): Promise<RefundResult>;
  /**
   * Withdraws everything of a paid order that could still be paid, except the bank payment to keep. Returns the state
   * afterwards. A bank that treats an order as one operation has nothing to withdraw.
   */
  cancelOthers(operationId: string, keptBankOperationId: string, fence: Fence): Promise<AcquirerResult>;
  /** Withdraws an unpaid order. Returns the state afterwards: `confirmed` if it was paid after all. */
  cancel(operationId: string, fence: Fence): Promise<AcquirerResult>;
  /** A page of the bank's register of a day (`2026-11-21`, UTC), starting after `after`; undefined if this bank offers none. */
  readonly readRegister: ((day: string, after?: string) => Promise<RegisterPage | Unanswered>) | undefined;
};

/** What a read must include, even if that takes a further call. */
export type WantedFacts = {
  /** The token of the card that the payment saves: without it the result is `unknown`. */
  readonly savedCard?: boolean;
  /** The result of the buyer's visit to the 3-D Secure page: they were sent there. */
  readonly challenge?: boolean;
};

export type RegisterPage = {
  readonly kind: 'page';
  readonly entries: readonly RegisterEntry[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
};

/** The acquirer of a route; undefined if no configured connector serves it. */
export type AcquirerOf = (route: { readonly routeId: string; readonly connector: string }) => Acquirer | undefined;

export type Order = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly expiresAt: Date;
  /** Where the bank sends the buyer after its own pages. */
  readonly returnUrl: string;
  /** The card may be saved: some banks need to know before they receive one. */
  readonly savesCard?: boolean;
  /** The receipt to issue when the order is paid. */
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
  /** DECLINE: the bank takes no money if it knows that the buyer was not authenticated, and ends AUTHENTICATION_FAILED. */
  readonly whenNotAuthenticated: WhenNotAuthenticated;
  /** The result of `prepareThreeDs` for this card; absent: not asked. */
  readonly prepared?: ThreeDsPreparation;
  /** The issuer's 3DS Method has reported completion to the buyer's browser. */
  readonly isMethodDone?: boolean;
  readonly buyer?: Buyer;
};

/** The buyer and their browser, as far as known: 3-D Secure 2 passes this to the issuer. */
export type Buyer = {
  readonly address?: string | undefined;
  /** The language of our page. */
  readonly language: 'ru' | 'en';
  /** Headers of the browser, printable ASCII. */
  readonly userAgent?: string | undefined;
  readonly accept?: string | undefined;
  /** Measured by the script of our page; undefined without it. */
  readonly browser?: BrowserFacts | undefined;
};

/** Facts about the browser in the form that EMV 3-D Secure requires. */
export type BrowserFacts = {
  /** In bits: 1, 4, 8, 15, 16, 24, 32 or 48. */
  readonly colorDepth: number;
  /** In pixels. */
  readonly screenHeight: number;
  readonly screenWidth: number;
  /** Positive west of UTC: Moscow is -180. */
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
  /** Which of the bank's own payments for the order is refunded. */
  readonly bankOperationId: string | null;
  readonly amountKopecks: bigint;
  /** The receipt of what is refunded; none for a full refund: the bank has the original. */
  readonly receipt?: Receipt | null;
  /**
   * How the order was paid, by our own record; UNKNOWN: the order is not in our books. Some banks would carry out a repeated refund by SBP
   * twice.
   */
  readonly paidBy: 'CARD' | 'SBP' | 'UNKNOWN';
  /** An earlier try may have reached the bank: it refuses what is already done. */
  readonly isRepeat: boolean;
  /** What we know of the money of the refunded payment, where a bank can only say how much of it was returned. */
  readonly money: RefundedMoney;
};

/** In kopecks. */
export type RefundedMoney = {
  readonly paid: bigint;
  /** Returned by other refunds. */
  readonly returned: bigint;
  /** Of other refunds that are under way. */
  readonly underWay: bigint;
  /** The bank has said that it is carrying out this very refund. */
  readonly isAccepted: boolean;
};
