import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

type Full = NodePgDatabase;

/** Anything that can read: the pool or a transaction. Raw statements: `selectRows`, in `db/` only. */
export type Reader = Pick<Full, 'select'>;
/** The pool as use cases see it: it reads and opens transactions. It cannot write. */
export type Db = Pick<Full, 'select' | 'transaction'>;
/** An open transaction: the only thing that writes. A function that writes takes it first. */
export type Tx = Parameters<Parameters<Full['transaction']>[0]>[0];
/** How a transaction is opened: its isolation level, and whether it may write. */
export type TransactionConfig = Parameters<Full['transaction']>[1];
