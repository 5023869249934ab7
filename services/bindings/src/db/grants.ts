import {
  ALL,
  APPENDED,
  CONSUMER_GRANTS,
  KEPT,
  MOVED_GRANTS,
  OPERATOR_GRANTS,
  OUTBOX_GRANTS,
  type Grants,
} from '@pay/shared/postgres/grants.ts';

/** The privileges of the service's own role on its tables: what the code needs and no more. */
export const GRANTS = {
  ...MOVED_GRANTS,
  ...OPERATOR_GRANTS,
  ...CONSUMER_GRANTS,
  ...OUTBOX_GRANTS,
  /** Buyers are erased from it. */
  published: ALL,
  /** Buyers are erased from it by `erase_consents`, which runs as the owner. */
  consents: APPENDED,
  bindings: KEPT,
  charges: ALL,
} as const satisfies Grants;
