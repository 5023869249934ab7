import { APPENDED, CONSUMER_GRANTS, KEPT, MOVED_GRANTS, OPERATOR_GRANTS, OUTBOX_GRANTS, type Grants } from '@pay/shared/postgres/grants.ts';

/** The privileges of the service's own role on its tables: what the code needs and no more. */
export const GRANTS = {
  ...MOVED_GRANTS,
  ...OPERATOR_GRANTS,
  ...CONSUMER_GRANTS,
  ...OUTBOX_GRANTS,
  stores: APPENDED,
  beneficiaries: KEPT,
  withdrawals: KEPT,
  fundings: KEPT,
  balances: KEPT,
  ledger_transactions: APPENDED,
  ledger_entries: APPENDED,
  /** A closed day never changes. */
  registers: APPENDED,
  register_lines: APPENDED,
  operator_audit: APPENDED,
  seals: APPENDED,
} as const satisfies Grants;
