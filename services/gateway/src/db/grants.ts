import { ALL, APPENDED, KEPT, MOVED_GRANTS, OPERATOR_GRANTS, QUEUED, type Grants } from '@pay/shared/postgres/grants.ts';

/** The privileges of the service's own role on its tables: what the code needs and no more. */
export const GRANTS = {
  ...MOVED_GRANTS,
  ...OPERATOR_GRANTS,
  partners: KEPT,
  partner_keys: KEPT,
  rate_buckets: KEPT,
  /** Old partitions are dropped by `roll_nonce_partitions()`, which belongs to the owner. */
  nonces: APPENDED,
  portal_challenges: QUEUED,
  portal_sessions: ALL,
  request_log: QUEUED,
  operator_audit: APPENDED,
  seals: APPENDED,
} as const satisfies Grants;
