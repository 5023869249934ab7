import { randomUUID } from 'node:crypto';
import type { Tx } from '../database/database.ts';
import { outbox } from '../database/schema.ts';
import { currentRequestId } from '../logging/request-context.ts';
import { currentTraceparent } from '../telemetry/tracing.ts';
import { sql } from 'drizzle-orm';

/** The channel that wakes the relay of this schema. PostgreSQL folds equal notifications of one transaction. */
export const OUTBOX_CHANNEL = 'outbox';

/** A fact for other services. `payload` is JSON with amounts as strings; `type` is the routing key. */
export type Message = {
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: Date;
  readonly payload: Readonly<Record<string, unknown>>;
};

/**
 * Records a message in the caller's transaction: it exists if and only if the state change does. Order per aggregate
 * follows the aggregate's row lock, which the caller holds. Returns the message's id.
 */
export async function appendToOutbox(tx: Tx, message: Message): Promise<string> {
  const messageId = randomUUID();
  await tx.insert(outbox).values({
    messageId,
    ...message,
    requestId: currentRequestId() ?? null,
    traceparent: currentTraceparent() ?? null,
  });
  await tx.execute(sql`select pg_notify(${OUTBOX_CHANNEL} || '.' || current_schema(), '')`);
  return messageId;
}
