import type { ChangeKind, ChangeStatus, SignInWith } from '../domain/account-change.ts';
import type { Role } from '@pay/shared/operators/roles.ts';

// What the API answers, as far as the pages show it. Amounts are texts from end to end.

export type Session = {
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly mustChangePassword: boolean;
  readonly mustSetUpSecondFactor: boolean;
};

export const WITHDRAWAL_STATUSES = [
  'REQUESTED',
  'IN_REVIEW',
  'APPROVED',
  'COMPLETED',
  'REJECTED',
  'CANCELLED',
  'FAILED',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export type Withdrawal = {
  readonly withdrawalRequestId: string;
  readonly partnerID: string;
  readonly storeId: string;
  readonly amountUsdt: string;
  readonly beneficiaryRef: string;
  readonly status: WithdrawalStatus;
  readonly statusReason?: string;
  readonly transferReference?: string;
  readonly revision: number;
  readonly takenBy: string | null;
  readonly takenUntil: string | null;
  readonly reviewedBy: string | null;
  readonly reviewedAt?: string;
  readonly completedBy: string | null;
  readonly completedAt?: string;
  readonly cancelledBy: 'PARTNER' | 'OPERATOR' | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type AuditEntry = {
  readonly at: string;
  readonly operator: string;
  readonly action: string;
  readonly subjectId: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly requestId: string | null;
};

export type WithdrawalWithHistory = Withdrawal & { readonly history: readonly AuditEntry[] };

export type WithdrawalCount = {
  readonly status: WithdrawalStatus;
  readonly count: number;
  readonly amountUsdt: string;
  readonly oldestAt: string;
};

export type Page<T> = { readonly items: readonly T[]; readonly nextPageToken: string | null };
export type List<T> = { readonly items: readonly T[] };

export type Store = {
  readonly storeId: string;
  readonly partnerID: string;
  readonly name: string;
  readonly availableUsdt: string;
  readonly reservedUsdt: string;
  readonly paidUsdt: string;
  readonly creditedUsdt: string;
};

export type Funding = {
  readonly fundingId: string;
  readonly storeId: string;
  readonly status: 'PROPOSED' | 'CONFIRMED' | 'REJECTED';
  readonly amountUsdt: string;
  readonly amountRub: string;
  readonly rate: string;
  readonly reference: string;
  readonly proposedBy: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly createdAt: string;
};

export type Beneficiary = {
  readonly beneficiaryRef: string;
  readonly partnerID: string;
  readonly label: string;
  readonly status: 'PROPOSED' | 'ISSUED' | 'REJECTED';
  readonly issuedBy: string;
  readonly decidedBy: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
};

export type PartnerKey = {
  readonly keyId: string;
  readonly publicKey: string;
  readonly comment: string | null;
  readonly fingerprint: string;
  readonly status: string;
  readonly registeredBy: string;
  readonly registeredAt: string;
  readonly activatedBy: string | null;
  readonly activatedAt: string | null;
  readonly revokedBy: string | null;
  readonly revokedAt: string | null;
};

export type Partner = {
  readonly partnerID: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'SUSPENDED';
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly createdAt: string;
  readonly keys: readonly PartnerKey[];
};

export type Receiver = {
  readonly partnerId: string;
  readonly callbackUrl: string | null;
  readonly state: string;
  readonly failuresInARow: number;
  readonly failingSince: string | null;
  readonly deadSince: string | null;
  readonly rotationOpenedAt: string | null;
  readonly waiting: number;
  readonly keys?: readonly { readonly keyId: string; readonly issuedAt: string; readonly expiresAt: string | null }[];
};

export type Delivery = {
  readonly eventId: string;
  readonly partnerId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly status: string;
  readonly attemptCount: number;
  readonly recordedAt: string;
  readonly nextAttemptAt: string | null;
  readonly endedAt: string | null;
  readonly resentBy: string | null;
};

export type Attempt = {
  readonly number: number;
  readonly url: string;
  readonly keyIds: readonly string[];
  readonly startedAt: string;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly outcome: string;
  readonly excerptBase64: string | null;
  readonly nextAttemptAt: string | null;
  readonly resentBy: string | null;
};

export type DeliveryWithAttempts = Delivery & { readonly body: string; readonly attempts: readonly Attempt[] };

export type TrailRow = {
  readonly position: string;
  readonly at: string;
  readonly requestId: string;
  readonly operator: string;
  readonly role: Role | 'none';
  readonly action: string;
  readonly subjectId: string;
  readonly kind: 'ASKED' | 'ANSWERED';
  readonly status: number | null;
  readonly before: unknown;
  readonly after: unknown;
};

export type OperatorAccount = {
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly disabledAt: string | null;
  readonly hasSecondFactor: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  /** Too many wrong passwords: none is looked at before. */
  readonly lockedUntil: string | null;
  readonly createdAt: string;
};

export type AccountChange = {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly login: string;
  readonly role: Role | null;
  readonly signIn: SignInWith | null;
  readonly status: ChangeStatus;
  readonly proposedBy: string;
  readonly proposedAt: string;
  readonly decidedBy: string | null;
};

export type Payment = {
  readonly paymentId: string;
  readonly partnerID: string;
  readonly paymentPointID: string;
  readonly routeId: string;
  readonly method: string;
  readonly merchantOrderId: string;
  readonly amount: string;
  readonly refundedAmount: string;
  readonly description: string;
  readonly customerId: string;
  readonly status: string;
  readonly failureCode: string | null;
  readonly bankOperationId: string | null;
  readonly cardMask: string | null;
  readonly bindingId: string | null;
  /** Counts what the partner was told: a refund names the one that was seen. */
  readonly aggregateVersion: number;
  readonly ledgerTransactionId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type PaymentRefund = {
  readonly refundId: string;
  readonly amount: string;
  readonly status: string;
  readonly reason: string | null;
  readonly failureCode: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
};

export type LedgerEntry = {
  readonly ledgerTransactionId: string;
  readonly kind: string;
  readonly createdAt: string;
  readonly account: string;
  readonly owner: string;
  readonly amount: string;
};

export type ReconciliationException = {
  readonly exceptionId: string;
  readonly kind: string;
  readonly status: 'OPEN' | 'RESOLVED';
  readonly reason: string;
  readonly paymentId: string | null;
  readonly bank: { readonly status: string | null; readonly amount: string | null };
  readonly ours: { readonly status: string | null; readonly amount: string | null };
  readonly note: string | null;
  readonly resolvedBy: string | null;
  readonly createdAt: string;
};

/** How the buyer was authenticated, as far as the bank told. */
export type ThreeDSecure = {
  readonly version: string | null;
  readonly transStatus: 'Y' | 'A' | 'N' | 'U' | 'R' | 'C' | 'D' | 'I' | null;
  readonly eci: string | null;
  readonly threeDSServerTransID: string | null;
  readonly dsTransID: string | null;
  readonly acsTransID: string | null;
  readonly liability: 'ISSUER' | 'MERCHANT' | 'UNKNOWN';
};

/** Of 54-FZ, as the partner sent it with the payment; where it went is masked. */
export type Receipt = { readonly taxation: string; readonly items: number; readonly contacts: readonly string[] };

export type PaymentTimeline = Payment & {
  readonly bank: {
    readonly cardSentAt: string | null;
    readonly lastReadAt: string | null;
  };
  readonly threeDSecure: ThreeDSecure | null;
  readonly receipt: Receipt | null;
  readonly refunds: readonly PaymentRefund[];
  readonly returns: readonly { readonly amount: string; readonly status: string; readonly createdAt: string }[];
  readonly ledger: readonly LedgerEntry[];
  readonly exceptions: readonly ReconciliationException[];
};

/** What one person wants to be done and a second one confirms. */
export type Proposal = {
  readonly proposalId: string;
  readonly kind: 'POINT' | 'FEE' | 'AUTHENTICATION' | 'REFUND';
  readonly subjectId: string;
  readonly asked: {
    readonly amount?: string;
    readonly reason?: string;
    readonly feeBasisPoints?: number;
    readonly whenNotAuthenticated?: 'DECLINE' | 'ACCEPT';
    readonly storeId?: string;
  };
  readonly status: 'PROPOSED' | 'CONFIRMED' | 'REJECTED';
  readonly proposedBy: string;
  readonly decidedBy: string | null;
  readonly createdAt: string;
};
