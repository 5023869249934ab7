import { randomUUIDv7 } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Tx } from '../postgres/db.ts';
import { compiledInsertAll, compiledWrite } from '../postgres/fast/compiled.ts';
import { afterCommit, type Sender } from '../postgres/transaction.ts';
import { outbox } from '../postgres/schema.ts';
import { currentRequestId } from '../logging/request-context.ts';
import { currentTraceparent } from '../telemetry/tracing.ts';
import { atMostEvery } from '../time/at-most-every.ts';

/** The channel that wakes the relay of this schema. */
export const OUTBOX_CHANNEL = 'outbox';
/** One process wakes the relay at most once in this time. */
const WAKE_MS = 10;

/** A fact for other services. `payload` is JSON with amounts as strings; `type` is the routing key. */
export type Message = {
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: Date;
  readonly payload: Readonly<Record<string, unknown>>;
};

/**
 * Records a message in the caller's transaction: it exists if and only if the state change does. The order per
 * aggregate follows from the lock on the aggregate's row, which the caller holds. Returns the message's id.
 */
export async function appendToOutbox(tx: Tx, message: Message): Promise<string> {
  const row = rowOf(message);
  await insertRows(tx, [row]);
  return row.messageId;
}

/** The statement that records messages, in their order, not sent yet. */
export const outboxStatement = (tx: Tx, messages: readonly Message[]) => insertRows(tx, messages.map(rowOf));

const insertAll = compiledInsertAll(outbox, outbox.position);

function insertRows(tx: Tx, rows: readonly ReturnType<typeof rowOf<Message>>[]) {
  afterCommit(tx, wakeRelay);
  return insertAll(tx, rows);
}

const rowOf = <M extends Omit<Message, 'occurredAt'>>(message: M) => ({
  messageId: randomUUIDv7(),
  ...message,
  requestId: currentRequestId() ?? null,
  traceparent: currentTraceparent() ?? null,
});

/**
 * The statement that records a message whose moment only the database knows, not sent yet: SQL of the given id, which is
 * also added to the payload as `occurredAt`.
 */
export function outboxStatementAt(
  id: PgColumn,
  momentOf: (id: SQL) => SQL,
): (tx: Tx, id: string, message: Omit<Message, 'occurredAt'>) => ReturnType<typeof insertAll> {
  const { messageId, type, aggregateId, payload, requestId, traceparent } = outbox;
  const parameters = { messageId, type, aggregateId, payload, requestId, traceparent, momentOf: id };
  const insert = compiledWrite(parameters, ({ momentOf: given, ...row }, builder) => {
    const occurredAt = momentOf(given);
    return builder
      .insert(outbox)
      .values({ ...row, payload: withMoment(row.payload, occurredAt), occurredAt })
      .returning({ returned: outbox.position });
  });
  return (tx, momentOfId, message) => {
    afterCommit(tx, wakeRelay);
    return insert(tx, { ...rowOf(message), momentOf: momentOfId });
  };
}

/** As `Date.toISOString` writes it. */
const withMoment = (payload: SQL, moment: SQL): SQL =>
  sql`${payload}::jsonb || jsonb_build_object('occurredAt',
    to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const WAKE = `select pg_notify('${OUTBOX_CHANNEL}.' || current_schema(), '')`;
const wakers = new WeakMap<pg.Pool, (sender?: Sender) => void>();

/**
 * Wakes the relay, in whichever replica it leads. Not inside the transaction: PostgreSQL serialises the commits of
 * transactions that notify, server-wide, each with its own wait for the disk; decisions/outbox-and-relay. A commit that
 * was sent on `sender` takes the wake along.
 */
export function wakeRelay(pool: pg.Pool, sender: Sender = pool): void {
  let wake = wakers.get(pool);
  if (wake === undefined) {
    // A lost wake costs a second: the relay also polls.
    wake = atMostEvery<Sender>(WAKE_MS, (now = pool) => void now.query(WAKE).catch(() => undefined));
    wakers.set(pool, wake);
  }
  wake(sender);
}
