import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';
import type { Tx } from '../postgres/db.ts';
import { afterCommit } from '../postgres/transaction.ts';
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
  const messageId = randomUUIDv7();
  await tx.insert(outbox).values({
    messageId,
    ...message,
    requestId: currentRequestId() ?? null,
    traceparent: currentTraceparent() ?? null,
  });
  afterCommit(tx, wakeRelay);
  return messageId;
}

const WAKE = `select pg_notify('${OUTBOX_CHANNEL}.' || current_schema(), '')`;
const wakers = new WeakMap<pg.Pool, () => void>();

/**
 * Wakes the relay, in whichever replica it leads. Not inside the transaction: PostgreSQL serialises the commits of
 * transactions that notify, server-wide, each with its own wait for the disk; ADR 0004.
 */
export function wakeRelay(pool: pg.Pool): void {
  let wake = wakers.get(pool);
  if (wake === undefined) {
    // A lost wake costs a second: the relay also polls.
    wake = atMostEvery(WAKE_MS, () => void pool.query(WAKE).catch(() => undefined));
    wakers.set(pool, wake);
  }
  wake();
}
