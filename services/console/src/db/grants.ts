import { ALL, APPENDED, KEPT, type Grants } from '@pay/shared/postgres/grants.ts';

/** The privileges of the service's own role on its tables: what the code needs and no more. */
export const GRANTS = {
  operators: KEPT,
  /** Owned by the sign-in library, which creates, renews and deletes them. */
  sessions: ALL,
  accounts: ALL,
  verifications: ALL,
  second_factors: ALL,
  passkeys: ALL,
  rate_limits: ALL,
  sign_in_failures: ALL,
  account_changes: KEPT,
  audit: APPENDED,
  seals: APPENDED,
} as const satisfies Grants;
