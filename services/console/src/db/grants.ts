import { ALL, APPENDED, KEPT, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  operators: KEPT,
  /** The sign-in library's own: it makes, renews and forgets them. */
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
