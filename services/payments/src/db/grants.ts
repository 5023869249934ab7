import { ALL, APPENDED, KEPT, OUTBOX_GRANTS, SHARED_GRANTS, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  ...SHARED_GRANTS,
  ...OUTBOX_GRANTS,
  /** A buyer is taken out of them. */
  published: ALL,
  stores: KEPT,
  partner_standings: KEPT,
  routes: KEPT,
  payment_points: KEPT,
  point_routes: ALL,
  integration_endpoints: KEPT,
  payments: KEPT,
  /** Gone when their buyer is erased. */
  saved_cards: ALL,
  refunds: KEPT,
  money_returns: KEPT,
  exceptions: KEPT,
  reconciliations: KEPT,
  reconciliation_items: ALL,
  ledger_transactions: APPENDED,
  ledger_entries: APPENDED,
  /** Written by the ledger's own trigger. */
  ledger_balances: ['select'],
  /** A closed day stays as it was closed. */
  registers: APPENDED,
  register_lines: APPENDED,
  operator_actions: APPENDED,
  proposals: KEPT,
  bank_asks: ALL,
  card_attempts: ALL,
  velocity_limits: KEPT,
  seals: APPENDED,
} as const satisfies Grants;
