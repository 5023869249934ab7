// The tables of this service.
export { idempotencyRecords, inbox, outbox } from '@pay/shared/database/schema.ts';
