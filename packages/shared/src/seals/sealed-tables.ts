/** An append-only table. */
export type SealedTable = {
  readonly name: string;
  /** Its bigserial key, which orders the rows. */
  readonly position: string;
  /** A table whose row belongs to each of its rows and has no order of its own; both have `key`. */
  readonly with?: { readonly table: string; readonly key: string };
};

const LEDGER: SealedTable = {
  name: 'ledger_entries',
  position: 'position',
  with: { table: 'ledger_transactions', key: 'ledger_transaction_id' },
};

/** The audit logs and ledgers of each schema. One list, because the verifying command must not rely on the writers. */
export const SEALED_TABLES = {
  gateway: [{ name: 'operator_audit', position: 'position' }],
  payments: [LEDGER, { name: 'operator_actions', position: 'position' }],
  withdrawals: [LEDGER, { name: 'operator_audit', position: 'position' }],
  notifier: [{ name: 'operator_actions', position: 'id' }],
  console: [{ name: 'audit', position: 'position' }],
} as const satisfies Readonly<Record<string, readonly SealedTable[]>>;

export type SealedSchema = keyof typeof SEALED_TABLES;
