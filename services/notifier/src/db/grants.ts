import { ALL, APPENDED, CONSUMER_GRANTS, KEPT, MOVED_GRANTS, OPERATOR_GRANTS, QUEUED, type Grants } from '@pay/shared/postgres/grants.ts';

/** The privileges of the service's own role on its tables: what the code needs and no more. */
export const GRANTS = {
  ...MOVED_GRANTS,
  ...OPERATOR_GRANTS,
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
