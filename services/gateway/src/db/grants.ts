import { APPENDED, KEPT, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  partners: KEPT,
  partner_keys: KEPT,
  rate_buckets: KEPT,
  /** Old partitions go by `roll_nonce_partitions()`, which the owner made. */
  nonces: APPENDED,
  operator_audit: APPENDED,
  seals: APPENDED,
} as const satisfies Grants;
