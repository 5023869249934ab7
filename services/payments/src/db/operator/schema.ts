import { sql } from 'drizzle-orm';
import { bigserial, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

/** What operators did here, recorded in the transaction of the action. Append-only: the role may only insert. */
export const operatorActions = pgTable(
  'operator_actions',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: moment('at')
      .notNull()
      .default(sql`clock_now()`),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    action: text('action').notNull(),
    /** The subject: a payment, a store, a payment point or a route. */
    subjectId: text('subject_id').notNull(),
    /** Null if the action created the subject. */
    before: jsonb('before').$type<ActionState | null>(),
    after: jsonb('after').$type<ActionState>().notNull(),
    /** The id of the request, which the console's audit log has too. */
    requestId: text('request_id'),
  },
  (table) => [index('operator_actions_subject').on(table.subjectId, table.position)],
);

/** The parts of a subject that an action may change. */
export type ActionState = Readonly<Record<string, unknown>>;
