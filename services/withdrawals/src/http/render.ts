import type { WithdrawalBalance, WithdrawalRequest } from '@pay/contract/api/withdrawals.ts';
import type { Wire } from '@pay/contract/wire.ts';
import type { AuditLogEntry } from '@pay/contract/operator/audit-log.ts';
import type { Beneficiary as BeneficiaryRecord, Funding as FundingRecord, UsdtStore } from '@pay/contract/operator/usdt-stores.ts';
import type { Withdrawal as WithdrawalRecord, WithdrawalCount as CountRecord } from '@pay/contract/operator/withdrawals.ts';
import { renderRub, renderUsdt } from '@pay/shared/money/money.ts';
import type { Funding } from '../use-cases/fund-store.ts';
import type { Beneficiary } from '../use-cases/manage-beneficiaries.ts';
import type { AuditRow, Balance, StoreBalance, Withdrawal, WithdrawalCount } from '../use-cases/read-withdrawals.ts';

/** See spec/service-contract#withdrawal-balance. */
export function renderBalance(balance: Balance): Wire<typeof WithdrawalBalance> {
  return {
    storeId: balance.storeId,
    currency: 'USDT',
    availableUsdt: renderUsdt(balance.availableMicroUsdt),
    reservedUsdt: renderUsdt(balance.reservedMicroUsdt),
  };
}

/** See spec/service-contract#withdrawal-request and spec/decisions#withdrawal-records-and-lists. */
export function renderWithdrawal(withdrawal: Withdrawal): Wire<typeof WithdrawalRequest> {
  const { statusReason, reviewedAt, completedAt, transferReference } = withdrawal;
  return {
    withdrawalRequestId: withdrawal.withdrawalRequestId,
    storeId: withdrawal.storeId,
    amountUsdt: renderUsdt(withdrawal.amountMicroUsdt),
    beneficiaryRef: withdrawal.beneficiaryRef,
    status: withdrawal.status,
    ...(statusReason === null ? {} : { statusReason }),
    ...(reviewedAt === null ? {} : { reviewedAt: reviewedAt.toISOString() }),
    ...(completedAt === null ? {} : { completedAt: completedAt.toISOString() }),
    ...(transferReference === null ? {} : { transferReference }),
    createdAt: withdrawal.createdAt.toISOString(),
    updatedAt: withdrawal.updatedAt.toISOString(),
  };
}

/** A request as operators see it: with its partner, the operators involved, and the revision that actions name. */
export function renderForOperator(withdrawal: Withdrawal): WithdrawalRecord {
  const { partnerId, revision, takenBy, takenUntil, reviewedBy, completedBy, failedBy, cancelledBy } = withdrawal;
  return {
    ...renderWithdrawal(withdrawal),
    partnerID: partnerId,
    revision,
    takenBy,
    takenUntil: takenUntil?.toISOString() ?? null,
    reviewedBy,
    completedBy,
    failedBy,
    cancelledBy,
  };
}

/** The number of requests with a status. */
export function renderCount({ status, count, amountMicroUsdt, oldestAt }: WithdrawalCount): CountRecord {
  return { status, count, amountUsdt: renderUsdt(amountMicroUsdt), oldestAt: oldestAt.toISOString() };
}

/** A store as operators see it. */
export function renderStore({ storeId, partnerId, name, ...balance }: StoreBalance): UsdtStore {
  return {
    storeId,
    partnerID: partnerId,
    name,
    availableUsdt: renderUsdt(balance.availableMicroUsdt),
    reservedUsdt: renderUsdt(balance.reservedMicroUsdt),
    paidUsdt: renderUsdt(balance.paidMicroUsdt),
    creditedUsdt: renderUsdt(balance.creditedMicroUsdt),
  };
}

/** A funding as operators see it. */
export function renderFunding(funding: Funding): FundingRecord {
  const { fundingId, storeId, status, reference, proposedBy, decidedBy, decidedAt, createdAt } = funding;
  return {
    fundingId,
    storeId,
    status,
    amountUsdt: renderUsdt(funding.amountMicroUsdt),
    amountRub: renderRub(funding.amountKopecks),
    rate: renderUsdt(funding.rateMicroRub),
    reference,
    proposedBy,
    decidedBy,
    decidedAt: decidedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** A recipient as operators see it. */
export function renderBeneficiary({ beneficiaryRef, partnerId, label, status, ...beneficiary }: Beneficiary): BeneficiaryRecord {
  const { issuedBy, decidedBy, decidedAt, expiresAt, revokedBy, revokedAt, revokeReason, createdAt } = beneficiary;
  return {
    beneficiaryRef,
    partnerID: partnerId,
    label,
    status,
    issuedBy,
    decidedBy,
    decidedAt: decidedAt?.toISOString() ?? null,
    expiresAt: status === 'PROPOSED' ? (expiresAt?.toISOString() ?? null) : null,
    revokedBy,
    revokedAt: revokedAt?.toISOString() ?? null,
    revokeReason,
    createdAt: createdAt.toISOString(),
  };
}

/** An audit row as operators see it. */
export function renderAudit({ at, operator, action, subjectId, before, after, requestId }: AuditRow): AuditLogEntry {
  return { at: at.toISOString(), operator, action, subjectId, before, after, requestId };
}
