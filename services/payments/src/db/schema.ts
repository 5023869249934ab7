// The tables that every service with facts has. The tables of payments are defined with their subject.
export { idempotencyRecords, inbox, movedPartners, outbox, relayLease, seals, usedIdentities } from '@pay/shared/postgres/schema.ts';
