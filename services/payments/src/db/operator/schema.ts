import { sql } from 'drizzle-orm';
import { bigserial, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

/** What operators did here, written in the transaction that did it. Append-only by rights. */
export const operatorActions = pgTable(
  'operator_actions',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: moment('at')
      .notNull()
      .default(sql`clock_now()`),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    action: text('action').notNull(),
    /** What it was done to: a payment, a store, a payment point, a route. */
    subjectId: text('subject_id').notNull(),
    /** Null where the action made the subject. */
    before: jsonb('before').$type<ActionState | null>(),
    after: jsonb('after').$type<ActionState>().notNull(),
    /** The request that it came with, also in the console's audit log. */
    requestId: text('request_id'),
  },
  (table) => [index('operator_actions_subject').on(table.subjectId, table.position)],
);

/** The parts of a subject that an action may change. */
export type ActionState = Readonly<Record<string, unknown>>;
