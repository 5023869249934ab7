import type { PageOptions } from './types.ts';

/** A closed day (UTC) of your balance in rubles; it does not change any more. Amounts may be negative. */
export type Register = {
  /** Such as `2026-11-22`. */
  readonly date: string;
  readonly currency: 'RUB';
  readonly openingBalance: string;
  /** Before our fees, like `recurringCharges`. */
  readonly payments: string;
  readonly recurringCharges: string;
  readonly refunds: string;
  readonly fees: string;
  /** `openingBalance` and the four above. */
  readonly closingBalance: string;
  readonly lines: number;
  /** Of 5,000 lines at most. */
  readonly parts: number;
  readonly madeAt: string;
};

/** One booking of a register. */
export type RegisterLine = {
  /** From 1 through all parts. */
  readonly line: number;
  readonly bookedAt: string;
  readonly type: 'PAYMENT' | 'RECURRING_CHARGE' | 'REFUND' | 'REFUND_FAILED';
  /** The payment. */
  readonly orderId: string;
  /** Yours; empty for QR. */
  readonly merchantOrderId: string;
  readonly refundId: string | null;
  readonly merchantRefundId: string | null;
  readonly paymentPointID: string;
  readonly paymentMethod: 'CARD' | 'CARD_BINDING' | 'SBP_DYNAMIC_QR';
  readonly amount: string;
  readonly fee: string;
  /** `amount` and `fee`. */
  readonly net: string;
  /** After this line. */
  readonly balance: string;
};

/** A register with the lines of one of its parts. */
export type RegisterPart = Register & { readonly part: number; readonly items: readonly RegisterLine[] };

/** A closed day (UTC) of your USDT, over all your stores; it does not change any more. Six decimals; balances may be negative. */
export type UsdtRegister = {
  /** Such as `2026-11-22`. */
  readonly date: string;
  readonly currency: 'USDT';
  readonly openingAvailable: string;
  readonly openingReserved: string;
  /** Credited: more is available. */
  readonly funded: string;
  /** From available to reserved. */
  readonly requested: string;
  /** From reserved to available: rejected, cancelled, failed. */
  readonly released: string;
  /** Paid out of what was reserved. */
  readonly completed: string;
  /** `openingAvailable + funded - requested + released`. */
  readonly closingAvailable: string;
  /** `openingReserved + requested - released - completed`. */
  readonly closingReserved: string;
  readonly lines: number;
  /** Of 5,000 lines at most. */
  readonly parts: number;
  readonly madeAt: string;
};

/** One booking of a register in USDT. */
export type UsdtRegisterLine = {
  /** From 1 through all parts. */
  readonly line: number;
  readonly bookedAt: string;
  readonly type:
    | 'FUNDING'
    | 'WITHDRAWAL_REQUESTED'
    | 'WITHDRAWAL_REJECTED'
    | 'WITHDRAWAL_CANCELLED'
    | 'WITHDRAWAL_FAILED'
    | 'WITHDRAWAL_COMPLETED';
  readonly storeId: string;
  readonly withdrawalRequestId: string | null;
  readonly fundingId: string | null;
  readonly beneficiaryRef: string | null;
  readonly transferReference: string | null;
  /** Positive, whatever the type. */
  readonly amount: string;
  readonly availableChange: string;
  readonly reservedChange: string;
  /** After this line, over all your stores. */
  readonly available: string;
  readonly reserved: string;
};

/** A register in USDT with the lines of one of its parts. */
export type UsdtRegisterPart = UsdtRegister & { readonly part: number; readonly items: readonly UsdtRegisterLine[] };

/** Which registers. */
export type RegisterListOptions = PageOptions & {
  /** This day or later. */
  readonly from?: string;
  /** Before this day. */
  readonly to?: string;
};
