// What the API answers about the overview, dead letters, stores and routes, as far as the pages show it.

export type Timed = { readonly at: string; readonly medianMs: number | null; readonly p95Ms: number | null };

export type PaymentOverview = {
  /** Of what was paid in the range. */
  readonly amount: string;
  readonly buckets: readonly (Timed & {
    readonly created: number;
    readonly completed: number;
    readonly failed: number;
    readonly amount: string;
  })[];
  readonly failures: readonly { readonly failureCode: string; readonly count: number }[];
  readonly balances: readonly { readonly account: string; readonly balance: string; readonly share: number }[];
};

export type DeliveryOverview = {
  readonly buckets: readonly (Timed & {
    readonly recorded: number;
    readonly delivered: number;
    readonly stopped: number;
  })[];
  readonly waiting: { readonly waiting: number; readonly oldestAt: string | null };
};

export type WithdrawalOverview = {
  readonly balances: readonly {
    readonly storeId: string;
    readonly name: string;
    readonly availableUsdt: string;
    readonly reservedUsdt: string;
    readonly paidUsdt: string;
    readonly availableShare: number;
    readonly reservedShare: number;
    readonly paidShare: number;
  }[];
  readonly waiting: readonly { readonly status: string; readonly waiting: number; readonly oldestAt: string }[];
};

export type QueueAge = { readonly queue: string; readonly waiting: number; readonly oldestAt: string | null };

/** Services with a queue of their own. */
export const CONSUMERS = ['bindings', 'notifier', 'withdrawals'] as const;

export type DeadLetter = {
  readonly deadLetterId: string;
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: string;
  readonly requestId: string | null;
  readonly diedAt: string;
  readonly status: 'WAITING' | 'REDRIVEN';
  readonly attemptCount: number;
  readonly lastError: string | null;
  readonly redrivenBy: string | null;
  readonly redrivenAt: string | null;
};
export type DeadLetterWithBody = DeadLetter & { readonly body: string };

export const POINT_METHODS = ['CARD', 'SBP_DYNAMIC_QR'] as const;
export type PointMethod = (typeof POINT_METHODS)[number];

export type PaymentPoint = {
  readonly paymentPointId: string;
  readonly storeId: string;
  readonly partnerId: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  readonly paymentMethods: readonly PointMethod[];
  readonly routeId: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly feeBasisPoints: number;
  readonly sessionMinutes: number;
  readonly whenNotAuthenticated: 'DECLINE' | 'ACCEPT';
  readonly revision: number;
};

export type PartnerStore = {
  readonly storeId: string;
  readonly partnerId: string;
  readonly name: string;
  readonly merchantConsent: boolean;
  readonly paymentPoints: readonly PaymentPoint[];
};

export type BankRoute = {
  readonly routeId: string;
  readonly connector: string;
  readonly status: 'ACTIVE' | 'SUSPENDED';
  readonly minAmount: string;
  readonly maxAmount: string;
};
export type PointAcquiringRoutes = { readonly routes: readonly BankRoute[] };

/** What cards are counted by. */
export type VelocityRule = 'address' | 'bin' | 'point';

/** The velocity rules, and where they kept cards from the bank. */
export type HeldBackCards = {
  readonly since: string;
  readonly rules: readonly { readonly rule: VelocityRule; readonly cardsMax: number; readonly windowSeconds: number }[];
  readonly items: readonly HeldBackCard[];
};
export type HeldBackCard = {
  readonly paymentPointId: string;
  readonly rule: VelocityRule;
  readonly cards: number;
  readonly addresses: number;
  readonly bins: number;
  readonly lastAt: string;
  /** From the rule's `cardsMax` on, the next card is held back. */
  readonly counting: number;
};
