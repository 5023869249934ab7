import { z } from 'zod';
import { moment, pageLimit } from '@pay/shared/http/fields.ts';
import { issuedId } from '../fields.ts';
import { login } from './fields.ts';
import { listOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

const state = z.record(z.string(), z.unknown()).nullable();

/** What an operator did to something, with its state before and after. */
export const AuditLogEntry = namedForOperators(
  'AuditLogEntry',
  'What an operator did: to what, and how it was before and after.',
  z.object({
    at: moment,
    operator: login,
    action: z.string(),
    subjectId: z.string(),
    before: state.describe('Null where the action made the subject'),
    after: state,
    requestId: z.string().nullable(),
  }),
);
export type AuditLogEntry = RecordOf<typeof AuditLogEntry>;

export const AuditLog = namedForOperators('AuditLog', 'What operators did, the newest first.', listOf(AuditLogEntry));

export const SubjectAuditLogQuery = z.strictObject({ subjectId: issuedId.optional(), limit: pageLimit(20) });

export const PaymentAuditLog = namedForOperators(
  'PaymentAuditLog',
  'What operators did to payments, stores, payment points and routes, the newest first.',
  listOf(AuditLogEntry.extend({ position: z.string() })),
);
export type PaymentAuditLog = RecordOf<typeof PaymentAuditLog>;
