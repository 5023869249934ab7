// The tables that every service with facts has; those of payments stand with their subject.
export { idempotencyRecords, inbox, outbox, relayLease, seals } from '@pay/shared/postgres/schema.ts';
