import {
  ALL,
  APPENDED,
  KEPT,
  MOVED_GRANTS,
  OPERATOR_GRANTS,
  OUTBOX_GRANTS,
  SHARED_GRANTS,
  type Grants,
} from '@pay/shared/postgres/grants.ts';

/** What the service's role may do with its tables: exactly what the code does. */
export const GRANTS = {
  ...MOVED_GRANTS,
  ...OPERATOR_GRANTS,
  ...SHARED_GRANTS,
  ...OUTBOX_GRANTS,
  /** Updated when a buyer is erased. */
  published: ALL,
  stores: KEPT,
  /** As the previous version uses it. It goes in the next version. */
  store_logos: ALL,
  partner_standings: KEPT,
  routes: KEPT,
  payment_points: KEPT,
  point_routes: ALL,
  integration_endpoints: KEPT,
  payments: KEPT,
  declined_cards: KEPT,
  /** Deleted when the buyer is erased. */
  saved_cards: ALL,
  /** As the previous version uses it; deleted after three days, and when the buyer is erased. It goes in the next version. */
  letters: ALL,
  refunds: KEPT,
  money_returns: KEPT,
  exceptions: KEPT,
  reconciliations: KEPT,
  reconciliation_items: ALL,
  ledger_transactions: APPENDED,
  ledger_entries: APPENDED,
  /** Written by the ledger's own trigger. */
  ledger_balances: ['select'],
  /** A closed day never changes. */
  registers: APPENDED,
  register_lines: APPENDED,
  operator_actions: APPENDED,
  proposals: KEPT,
  one_person_totals: KEPT,
  bank_asks: ALL,
  card_attempts: ALL,
  velocity_limits: KEPT,
  seals: APPENDED,
} as const satisfies Grants;
