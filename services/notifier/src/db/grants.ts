import { ALL, APPENDED, KEPT, QUEUED, SHARED_GRANTS, type Grants } from '@pay/shared/database/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  ...SHARED_GRANTS,
  dead_letters: KEPT,
  callback_keys: KEPT,
  receivers: KEPT,
  aggregates: ALL,
  events: ALL,
  attempts: QUEUED,
  alerts: APPENDED,
  replays: KEPT,
  operator_actions: APPENDED,
  seals: APPENDED,
} as const satisfies Grants;
