import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Asked } from '@pay/contract/operator/proposals.ts';
import type { ProposalKind, ProposalStatus } from '@pay/contract/operator/states.ts';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

/**
 * An action that one operator proposes and a second one must confirm; nothing is done before that
 * (decisions/four-eyes).
 */
export const proposals = pgTable(
  'proposals',
  {
    proposalId: uuid('proposal_id').primaryKey(),
    kind: text('kind').$type<ProposalKind>().notNull(),
    /** The payment point, which may not exist yet, the payment, or the exception. */
    subjectId: text('subject_id').notNull(),
    /** What is proposed, as in a request of the operator API: amounts are strings. */
    asked: jsonb('asked').$type<Asked>().notNull(),
    status: text('status').$type<ProposalStatus>().notNull(),
    proposedBy: text('proposed_by').$type<OperatorLogin>().notNull(),
    /** Logins that cannot be the second person, as of the proposal. */
    proposerNotIndependentOf: text('proposer_not_independent_of').array().notNull(),
    decidedBy: text('decided_by').$type<OperatorLogin>(),
    decidedAt: moment('decided_at'),
    /** Cannot be confirmed after this moment. */
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    index('proposals_newest').on(table.createdAt, table.proposalId),
    check('proposals_kind', sql`kind in ('POINT', 'FEE', 'AUTHENTICATION', 'REFUND', 'RETURN', 'BOOK')`),
    check('proposals_status', sql`status in ('PROPOSED', 'CONFIRMED', 'REJECTED')`),
    check('proposals_decided', sql`(status <> 'PROPOSED') = (decided_by is not null and decided_at is not null)`),
    check('proposals_two_people', sql`status <> 'CONFIRMED' or decided_by <> proposed_by`),
  ],
);
