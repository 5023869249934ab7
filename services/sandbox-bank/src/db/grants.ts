import { ALL, APPENDED, QUEUED, type Grants } from '@pay/shared/postgres/grants.ts';

/** The privileges of the service's own role on its tables: what the code needs and no more. */
export const GRANTS = {
  operations: ALL,
  saved_cards: QUEUED,
  history: APPENDED,
} as const satisfies Grants;
