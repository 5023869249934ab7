/** A table in which what is written stays. */
export type Trail = {
  readonly table: string;
  /** Its bigserial key: the order of the rows. */
  readonly position: string;
  /** A table whose row belongs to each of its rows and has no order of its own; both have `key`. */
  readonly with?: { readonly table: string; readonly key: string };
};

const LEDGER: Trail = {
  table: 'ledger_entries',
  position: 'position',
  with: { table: 'ledger_transactions', key: 'ledger_transaction_id' },
};

/** The trails and ledgers of each schema. One list, because the command that checks them must not ask those who write them. */
export const SEALED_TABLES = {
  gateway: [{ table: 'operator_audit', position: 'position' }],
  payments: [LEDGER, { table: 'operator_actions', position: 'position' }],
  withdrawals: [LEDGER, { table: 'operator_audit', position: 'position' }],
  notifier: [{ table: 'operator_actions', position: 'id' }],
  console: [{ table: 'audit', position: 'position' }],
} as const satisfies Readonly<Record<string, readonly Trail[]>>;

export type SealedSchema = keyof typeof SEALED_TABLES;
