import { and, asc, count, eq, lte, min, sql, type SQL } from 'drizzle-orm';
import type { Db, Reader } from '../postgres/db.ts';
import { isUnavailable } from '../postgres/errors.ts';
import { onlyRow } from '../postgres/only-row.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { deadLetters, outbox } from '../postgres/schema.ts';
import { ApiError } from '../errors/api-error.ts';
import { following, sortedBy } from '../http/list-order.ts';
import type { ListOrder, ListPosition } from '../http/list-page.ts';
import type { Log } from '../logging/logger.ts';
import { deadLettersWaiting } from '../telemetry/metrics.ts';
import type { Loop } from '../time/loop.ts';
import type { DeadMessage, Handle } from './consume.ts';
import type { VerifyFact } from './fact-signature.ts';

/** A dead-lettered message as stored. */
export type DeadLetter = Readonly<typeof deadLetters.$inferSelect>;

export type DeadLetterFilter = {
  readonly status: DeadLetter['status'] | undefined;
  readonly type: string | undefined;
};

/**
 * Stores a dead-lettered message. One that fails again after it was redriven becomes WAITING again. A refused one gets
 * a row of its own, because whoever wrote it chose its id.
 */
export async function keepDeadLetter(db: Db, message: DeadMessage): Promise<void> {
  const { requestId = null, signature = null, refusal = null, ...letter } = message;
  await inTransaction(db, async (tx) => {
    await tx
      .insert(deadLetters)
      .values({ ...letter, requestId, signature, refused: refusal !== null, lastError: refusal })
      .onConflictDoUpdate({
        target: deadLetters.messageId,
        targetWhere: sql`message_id <> '' and not refused`,
        set: { status: 'WAITING', diedAt: sql`clock_now()` },
      });
  });
}

/** Which rows of the list follow: those that match, in this order, starting after `after`. */
export type DeadLetterList = {
  readonly filter: DeadLetterFilter;
  readonly order: ListOrder;
  readonly after: ListPosition | undefined;
};

const SORTED = { createdAt: deadLetters.diedAt, id: deadLetters.deadLetterId };

export async function listDeadLetters(reader: Reader, { filter, order, after }: DeadLetterList, limit: number): Promise<DeadLetter[]> {
  return reader
    .select()
    .from(deadLetters)
    .where(and(matches(filter), following(SORTED, order, after)))
    .orderBy(...sortedBy(SORTED, order))
    .limit(limit);
}

function matches({ status, type }: DeadLetterFilter): SQL | undefined {
  return and(
    status === undefined ? undefined : eq(deadLetters.status, status),
    type === undefined ? undefined : eq(deadLetters.type, type),
  );
}

/** @throws ApiError NOT_FOUND */
export async function readDeadLetter(reader: Reader, deadLetterId: string): Promise<DeadLetter> {
  const [row] = await reader.select().from(deadLetters).where(eq(deadLetters.deadLetterId, deadLetterId));
  if (row === undefined) throw new ApiError('NOT_FOUND');
  return row;
}

/** The parts needed to redrive messages. */
export type Redriver = {
  readonly db: Db;
  readonly log: Log;
  readonly handlers: Readonly<Record<string, Handle>>;
  readonly verify: VerifyFact;
};

/**
 * Handles a dead letter again, synchronously, so that the caller sees the result: REDRIVEN, or still WAITING with the
 * reason. A refused one must first be verified with the current keys. Its inbox row ensures that it takes effect once,
 * however often it is requested. See decisions/lost-messages.
 * @throws ApiError NOT_FOUND; STALE_REVISION if it has already been redriven; 503 while the database is down
 */
export async function redriveDeadLetter(redriver: Redriver, deadLetterId: string, operator: string): Promise<DeadLetter> {
  const { db, log, handlers, verify } = redriver;
  const letter = await readDeadLetter(db, deadLetterId);
  if (letter.status === 'REDRIVEN') throw new ApiError('STALE_REVISION', { text: 'it has already been redriven' });
  const refusal = letter.refused ? verify(letter, letter.signature ?? undefined) : undefined;
  const failure = refusal ?? (await handleAgain(handlers, letter));
  log.info('an operator redrove a dead letter', { operator, deadLetterId, type: letter.type, failure });
  const end =
    failure === undefined
      ? { status: 'REDRIVEN' as const, redrivenBy: operator, redrivenAt: sql`clock_now()`, lastError: null }
      : { lastError: failure };
  return inTransaction(db, async (tx) =>
    onlyRow(
      await tx
        .update(deadLetters)
        .set({ ...end, attemptCount: sql`${deadLetters.attemptCount} + 1` })
        .where(eq(deadLetters.deadLetterId, deadLetterId))
        .returning(),
    ),
  );
}

/** Why it failed again; undefined if it succeeded. */
async function handleAgain(handlers: Redriver['handlers'], letter: DeadLetter): Promise<string | undefined> {
  const { messageId, type, aggregateId, occurredAt } = letter;
  const handle = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  if (handle === undefined) return 'this service does not handle this type of message';
  try {
    const body: unknown = JSON.parse(letter.body.toString('utf8'));
    await handle({ messageId, type, aggregateId, occurredAt, body });
    return undefined;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return reasonOf(error);
  }
}

const REASON_LENGTH_MAX = 300;

/** As a sentence: the database's own message for a database error. */
function reasonOf(error: unknown): string {
  const cause = Error.isError(error) && Error.isError(error.cause) ? error.cause : error;
  return (Error.isError(cause) ? cause.message : String(cause)).replaceAll(/\s+/g, ' ').slice(0, REASON_LENGTH_MAX);
}

/** The number of WAITING dead letters that died at `upTo` or before. */
export async function countDeadLetters(reader: Reader, type: string | undefined, upTo: Date): Promise<number> {
  const rows = await reader.select({ total: count() }).from(deadLetters).where(waiting(type, upTo));
  return onlyRow(rows).total;
}

const waiting = (type: string | undefined, upTo: Date) => and(matches({ status: 'WAITING', type }), lte(deadLetters.diedAt, upTo));

/** Per call; the answer says how many are left. */
const REDRIVE_MAX = 1_000;
const REDRIVE_MS = 6_000;

export type Redriven = { readonly redriven: number; readonly failed: number; readonly left: number };

/**
 * Redrives WAITING dead letters that died at `upTo` or before, oldest first, for at most six seconds. Those that were tried less come
 * before: a thousand that fail each time hide none behind them.
 */
export async function redriveAll(redriver: Redriver, type: string | undefined, upTo: Date, operator: string): Promise<Redriven> {
  const letters = await redriver.db
    .select({ deadLetterId: deadLetters.deadLetterId })
    .from(deadLetters)
    .where(waiting(type, upTo))
    .orderBy(asc(deadLetters.attemptCount), asc(deadLetters.diedAt), asc(deadLetters.deadLetterId))
    .limit(REDRIVE_MAX);
  const end = performance.now() + REDRIVE_MS;
  const counts = { redriven: 0, failed: 0 };
  for (const { deadLetterId } of letters) {
    if (performance.now() > end) break;
    const { status } = await redriveDeadLetter(redriver, deadLetterId, operator);
    counts[status === 'REDRIVEN' ? 'redriven' : 'failed'] += 1;
  }
  return { ...counts, left: await countDeadLetters(redriver.db, type, upTo) };
}

/** A queue of a service with its number of items and the time of the oldest. */
export type QueueAge = { readonly queue: 'outbox' | 'dead-letters'; readonly waiting: number; readonly oldestAt: Date | null };

/** Facts waiting to be published. */
export async function readOutboxAge(reader: Reader): Promise<QueueAge> {
  const rows = await reader.select({ waiting: count(), oldestAt: min(outbox.occurredAt) }).from(outbox);
  return { queue: 'outbox', ...onlyRow(rows) };
}

/** Dead letters waiting for a person. */
export async function readDeadLetterAge(reader: Reader): Promise<QueueAge> {
  const rows = await reader
    .select({ waiting: count(), oldestAt: min(deadLetters.diedAt) })
    .from(deadLetters)
    .where(eq(deadLetters.status, 'WAITING'));
  return { queue: 'dead-letters', ...onlyRow(rows) };
}

const WATCH_MS = 15_000;

/** Counts the dead letters that wait for a person. */
export function watchDeadLetters(db: Db): Loop {
  return {
    name: 'dead letters',
    intervalMs: WATCH_MS,
    round: async () => {
      deadLettersWaiting.set((await readDeadLetterAge(db)).waiting);
      return 'done';
    },
  };
}
