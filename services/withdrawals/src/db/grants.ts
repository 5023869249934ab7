import { APPENDED, CONSUMER_GRANTS, KEPT, OUTBOX_GRANTS, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  ...CONSUMER_GRANTS,
  ...OUTBOX_GRANTS,
  stores: APPENDED,
  beneficiaries: KEPT,
  withdrawals: KEPT,
  fundings: KEPT,
  balances: KEPT,
  ledger_transactions: APPENDED,
  ledger_entries: APPENDED,
  /** A closed day stays as it was closed. */
  registers: APPENDED,
  register_lines: APPENDED,
  operator_audit: APPENDED,
  seals: APPENDED,
} as const satisfies Grants;
