import { ALL, APPENDED, KEPT, SHARED_GRANTS, type Grants } from '@pay/shared/database/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  ...SHARED_GRANTS,
  dead_letters: KEPT,
  /** A buyer is taken out of them by `erase_consents`, which runs as the owner. */
  consents: APPENDED,
  bindings: KEPT,
  charges: ALL,
} as const satisfies Grants;
