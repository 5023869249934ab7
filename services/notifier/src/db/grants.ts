import { ALL, APPENDED, CONSUMER_GRANTS, KEPT, QUEUED, type Grants } from '@pay/shared/postgres/grants.ts';

/** What the service's own role may do with its tables: what the code here does, and no more. */
export const GRANTS = {
  ...CONSUMER_GRANTS,
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
