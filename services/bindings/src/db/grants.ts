import { ALL, APPENDED, CONSUMER_GRANTS, KEPT, OUTBOX_GRANTS, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  ...CONSUMER_GRANTS,
  ...OUTBOX_GRANTS,
  /** A buyer is taken out of them. */
  published: ALL,
  /** A buyer is taken out of them by `erase_consents`, which runs as the owner. */
  consents: APPENDED,
  bindings: KEPT,
  charges: ALL,
} as const satisfies Grants;
