import { ALL, APPENDED, QUEUED, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  operations: ALL,
  saved_cards: QUEUED,
  history: APPENDED,
} as const satisfies Grants;
