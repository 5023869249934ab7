import { z } from 'zod';
import { moment, pageLimit } from '@pay/shared/http/fields.ts';
import { issuedId } from '../fields.ts';
import { login } from './fields.ts';
import { listOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

const state = z.record(z.string(), z.unknown()).nullable();

/** An operator's action, with the subject's state before and after. */
export const AuditLogEntry = namedForOperators(
  'AuditLogEntry',
  "An operator's action: its subject, and the subject's state before and after.",
  z.object({
    at: moment,
    operator: login,
    action: z.string(),
    subjectId: z.string(),
    before: state.describe('Null if the action created the subject'),
    after: state,
    requestId: z.string().nullable(),
  }),
);
export type AuditLogEntry = RecordOf<typeof AuditLogEntry>;

export const AuditLog = namedForOperators('AuditLog', 'Actions of operators, newest first.', listOf(AuditLogEntry));

export const SubjectAuditLogQuery = z.strictObject({
  subjectId: issuedId.describe('Only actions on this object').optional(),
  limit: pageLimit(20),
});

export const PaymentAuditLog = namedForOperators(
  'PaymentAuditLog',
  'Actions of operators on payments, stores, payment points and routes, newest first.',
  listOf(AuditLogEntry.extend({ position: z.string() })),
);
export type PaymentAuditLog = RecordOf<typeof PaymentAuditLog>;
