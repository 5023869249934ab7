import { sql } from 'drizzle-orm';
import { bigserial, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { WITHDRAWAL_STATUSES } from '@pay/contract/states.ts';
import { isOneOf, minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import type { BeneficiaryStatus } from '../domain/beneficiary.ts';
import type { FundingStatus } from '../domain/funding.ts';
import type { LedgerAccount, LedgerKind } from '../domain/ledger.ts';
import type { WithdrawalStatus } from '../domain/withdrawal-status.ts';

// The tables of this service.
export {
  deadLetters,
  idempotencyRecords,
  inbox,
  movedPartners,
  outbox,
  relayLease,
  seals,
  usedIdentities,
} from '@pay/shared/postgres/schema.ts';

const createdAt = () =>
  moment('created_at')
    .notNull()
    .default(sql`clock_now()`);
/** Logins that cannot be the second person, as of the moment when the first one acted. */
const notIndependentOf = (name: string) =>
  text(name)
    .array()
    .notNull()
    .default(sql`'{}'`);
const storeIdOf = () =>
  text('store_id')
    .notNull()
    .references(() => stores.storeId);

/** A copy of the stores that payments owns, kept up to date from `store.created`: it says who owns a store. */
export const stores = pgTable('stores', {
  storeId: text('store_id').primaryKey(),
  partnerId: text('partner_id').$type<PartnerId>().notNull(),
  name: text('name').notNull(),
});

/**
 * Recipients agreed with a partner. The agreement itself is kept elsewhere; stored here are its reference and a label.
 */
export const beneficiaries = pgTable(
  'beneficiaries',
  {
    beneficiaryRef: text('beneficiary_ref').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** What operators call the recipient. Never shown to partners. */
    label: text('label').notNull(),
    status: text('status').$type<BeneficiaryStatus>().notNull(),
    /** Who proposed it, and who could not be their second person at that moment. */
    issuedBy: text('issued_by').$type<OperatorLogin>().notNull(),
    issuerNotIndependentOf: notIndependentOf('issuer_not_independent_of'),
    decidedBy: text('decided_by').$type<OperatorLogin>(),
    decidedAt: moment('decided_at'),
    /** It cannot be confirmed after that. */
    expiresAt: moment('expires_at'),
    /** Who revoked it, when and why. Never shown to partners. */
    revokedBy: text('revoked_by').$type<OperatorLogin>(),
    revokedAt: moment('revoked_at'),
    revokeReason: text('revoke_reason'),
    createdAt: createdAt(),
  },
  (table) => [
    index('beneficiaries_partner').on(table.partnerId, table.beneficiaryRef),
    check('beneficiaries_status', sql`status in ('PROPOSED', 'ISSUED', 'REJECTED', 'REVOKED')`),
    check('beneficiaries_proposed', sql`status <> 'PROPOSED' or (decided_by is null and expires_at is not null)`),
    check('beneficiaries_two_people', sql`status <> 'ISSUED' or decided_by <> issued_by`),
    check(
      'beneficiaries_revoked',
      sql`(status = 'REVOKED') = (revoked_by is not null and revoked_at is not null and revoke_reason is not null)`,
    ),
  ],
);

/**
 * The sum of a store's ledger entries, kept beside them so that one statement can check and reserve. A store without a
 * row was never funded.
 */
export const balances = pgTable(
  'balances',
  {
    storeId: text('store_id')
      .primaryKey()
      .references(() => stores.storeId),
    availableMicroUsdt: minorUnits('available_micro_usdt').notNull(),
    reservedMicroUsdt: minorUnits('reserved_micro_usdt').notNull(),
    paidMicroUsdt: minorUnits('paid_micro_usdt').notNull(),
    creditedMicroUsdt: minorUnits('credited_micro_usdt').notNull(),
  },
  () => [
    check('balances_not_negative', sql`least(available_micro_usdt, reserved_micro_usdt, paid_micro_usdt) >= 0`),
    check('balances_whole', sql`available_micro_usdt + reserved_micro_usdt + paid_micro_usdt = credited_micro_usdt`),
  ],
);

/** A partner's request, and what operators did with it. We transfer nothing ourselves. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    withdrawalRequestId: uuid('withdrawal_request_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    storeId: storeIdOf(),
    beneficiaryRef: text('beneficiary_ref')
      .notNull()
      .references(() => beneficiaries.beneficiaryRef),
    amountMicroUsdt: minorUnits('amount_micro_usdt').notNull(),
    status: text('status').$type<WithdrawalStatus>().notNull(),
    /** Incremented by every change. An operator's action names the revision it was based on. */
    /** Version of the request's own events, gapless from 1. */
    aggregateVersion: integer('aggregate_version').notNull().default(0),
    revision: integer('revision').notNull().default(1),
    takenBy: text('taken_by').$type<OperatorLogin>(),
    takenUntil: moment('taken_until'),
    /** Who approved or rejected it. */
    reviewedBy: text('reviewed_by').$type<OperatorLogin>(),
    reviewerNotIndependentOf: notIndependentOf('reviewer_not_independent_of'),
    reviewedAt: moment('reviewed_at'),
    /** Who reported that nothing was transferred. */
    failedBy: text('failed_by').$type<OperatorLogin>(),
    /** Who cancelled it before anybody reviewed it. If an operator did, the audit log says which one. */
    cancelledBy: text('cancelled_by').$type<'PARTNER' | 'OPERATOR'>(),
    completedBy: text('completed_by').$type<OperatorLogin>(),
    completedAt: moment('completed_at'),
    transferReference: text('transfer_reference'),
    /** Why it was rejected, cancelled or failed. Partners can read it. */
    statusReason: text('status_reason'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    // A transfer pays for one request. Hashes are written in either case.
    uniqueIndex('withdrawals_transfer_reference').on(sql`lower(${table.transferReference})`),
    index('withdrawals_partner').on(table.partnerId, table.createdAt, table.withdrawalRequestId),
    index('withdrawals_status').on(table.status, table.createdAt, table.withdrawalRequestId),
    check('withdrawals_amount', sql`amount_micro_usdt > 0`),
    check('withdrawals_status_known', isOneOf('status', WITHDRAWAL_STATUSES)),
    check('withdrawals_taken', sql`(taken_by is null) = (taken_until is null)`),
    check('withdrawals_approved', sql`status not in ('APPROVED', 'COMPLETED', 'FAILED') or reviewed_by is not null`),
    check(
      'withdrawals_completed',
      sql`(status = 'COMPLETED') = (completed_by is not null and completed_at is not null and transfer_reference is not null)`,
    ),
    check('withdrawals_two_people', sql`completed_by <> reviewed_by and failed_by <> reviewed_by`),
    check('withdrawals_cancelled', sql`cancelled_by is null or (status = 'CANCELLED' and cancelled_by in ('PARTNER', 'OPERATOR'))`),
    check('withdrawals_version', sql`aggregate_version >= 0`),
    check('withdrawals_reason', sql`(status_reason is not null) = (status in ('REJECTED', 'CANCELLED', 'FAILED'))`),
  ],
);

/** USDT that finance credits to a store: the settlement behind it, proposed by one person and confirmed by another. */
export const fundings = pgTable(
  'fundings',
  {
    fundingId: uuid('funding_id').primaryKey(),
    storeId: storeIdOf(),
    amountMicroUsdt: minorUnits('amount_micro_usdt').notNull(),
    /** The RUB counterpart. */
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    /** RUB per USDT, in millionths. */
    rateMicroRub: minorUnits('rate_micro_rub').notNull(),
    /** Reference of the settlement. Each is credited once. */
    reference: text('reference').notNull(),
    status: text('status').$type<FundingStatus>().notNull(),
    proposedBy: text('proposed_by').$type<OperatorLogin>().notNull(),
    proposerNotIndependentOf: notIndependentOf('proposer_not_independent_of'),
    decidedBy: text('decided_by').$type<OperatorLogin>(),
    decidedAt: moment('decided_at'),
    createdAt: createdAt(),
  },
  (table) => [
    // A rejected proposal may be made again, corrected.
    uniqueIndex('fundings_reference')
      .on(table.reference)
      .where(sql`status <> 'REJECTED'`),
    index('fundings_newest').on(table.createdAt, table.fundingId),
    check('fundings_amounts', sql`least(amount_micro_usdt, amount_kopecks, rate_micro_rub) > 0`),
    check('fundings_status', sql`status in ('PROPOSED', 'CONFIRMED', 'REJECTED')`),
    check('fundings_decided', sql`(status <> 'PROPOSED') = (decided_by is not null and decided_at is not null)`),
    check('fundings_two_people', sql`status <> 'CONFIRMED' or decided_by <> proposed_by`),
  ],
);

/** A move of USDT between a store's accounts. Append-only. The database refuses to commit one that is not balanced. */
export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    ledgerTransactionId: uuid('ledger_transaction_id').primaryKey(),
    kind: text('kind').$type<LedgerKind>().notNull(),
    /** The withdrawal request or funding that it books. Each is booked once per kind. */
    referenceId: uuid('reference_id').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('ledger_transactions_once').on(table.kind, table.referenceId),
    // A reserve ends once: it is released or paid.
    uniqueIndex('ledger_transactions_one_end')
      .on(table.referenceId)
      .where(sql`kind in ('RELEASED', 'PAID')`),
    check('ledger_transactions_kind', sql`kind in ('FUNDED', 'RESERVED', 'RELEASED', 'PAID')`),
  ],
);

/**
 * One side of a ledger transaction. It has no foreign key to the transaction, because checking one locks the other row,
 * which needs the UPDATE privilege. A trigger checks it instead.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    ledgerTransactionId: uuid('ledger_transaction_id').notNull(),
    storeId: storeIdOf(),
    account: text('account').$type<LedgerAccount>().notNull(),
    amountMicroUsdt: minorUnits('amount_micro_usdt').notNull(),
  },
  (table) => [
    index('ledger_entries_transaction').on(table.ledgerTransactionId),
    index('ledger_entries_store').on(table.storeId, table.account),
    check('ledger_entries_amount', sql`amount_micro_usdt <> 0`),
    check('ledger_entries_account', sql`account in ('AVAILABLE', 'RESERVED', 'PAID', 'FUNDING')`),
  ],
);

/** What operators did. Append-only. */
export const operatorAudit = pgTable(
  'operator_audit',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: moment('at')
      .notNull()
      .default(sql`clock_now()`),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    action: text('action').notNull(),
    /** Id of the withdrawal request, the funding or the beneficiary. */
    subjectId: text('subject_id').notNull(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    requestId: text('request_id'),
    before: jsonb('before').$type<AuditState>(),
    after: jsonb('after').$type<AuditState>().notNull(),
  },
  (table) => [
    index('operator_audit_subject').on(table.subjectId, table.position),
    index('operator_audit_partner').on(table.partnerId, table.position),
  ],
);

/** A subject's state before or after an action, as far as the action may change it. */
export type AuditState = Readonly<Record<string, string | number | null>>;
