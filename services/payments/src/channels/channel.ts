import type { ChannelResult, RefundResult } from '../domain/channel-result.ts';

/**
 * The port to the bank side. Every call carries our operation id (the payment's or the refund's own id), so repeating it
 * with the same parameters is safe. A call never throws for what the bank did or did not answer: see ChannelResult.
 */
export type Channel = {
  /** False while the breaker is open: the bank is known to be down and nothing would be sent. */
  readonly isAvailable: boolean;
  /** Announces an order: nothing is paid yet. Answers `registered`. */
  register(order: Order): Promise<ChannelResult>;
  /** Tries the card the buyer typed. `pending` with an `acsUrl` when 3-D Secure is needed. */
  authorize(authorization: Authorization): Promise<ChannelResult>;
  /** Charges a saved card without the buyer: initiator MERCHANT, recurring. */
  charge(charge: Charge): Promise<ChannelResult>;
  /** Registers an order that the buyer pays by an SBP QR. Answers `registered` with `nspkUrl`. */
  createQr(order: Order): Promise<ChannelResult>;
  /** What the bank knows about an operation; `absent` when it never arrived. Also the confirmation after 3-D Secure. */
  read(operationId: string): Promise<ChannelResult>;
  /** Pays back a part or all of a confirmed operation. */
  refund(refund: ChannelRefund): Promise<RefundResult>;
  /** What the bank knows about a refund; `absent` when it never arrived. */
  readRefund(operationId: string): Promise<RefundResult>;
  /** Withdraws an order that is not paid. Answers the state it is in afterwards, `confirmed` if it was paid after all. */
  cancel(operationId: string): Promise<ChannelResult>;
};

/** The channel of a route; undefined when no connector serves it here. */
export type ChannelOf = (route: { readonly routeId: string; readonly connector: string }) => Channel | undefined;

export type Order = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly expiresAt: Date;
  /** Where the bank sends the buyer after its own pages. */
  readonly returnUrl: string;
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
};

export type Charge = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly cardToken: string;
};

export type ChannelRefund = {
  readonly operationId: string;
  readonly originalOperationId: string;
  readonly amountKopecks: bigint;
};
