import { and, eq } from 'drizzle-orm';
import type { PartnerId } from '../identities/identities.ts';
import type { Tx } from '../postgres/db.ts';
import { sqlState } from '../postgres/errors.ts';
import { compiledInsert } from '../postgres/fast/compiled.ts';
import type { Writer } from '../postgres/fast/one-statement.ts';
import { idempotencyRecords } from '../postgres/schema.ts';
import { ApiError } from '../errors/api-error.ts';

/** What identifies a command. `operation` is method and path, such as `POST /api/card`. */
export type IdempotentRequest = {
  readonly partnerId: PartnerId;
  readonly key: string;
  readonly operation: string;
  /** Lowercase hex SHA-256 of the body bytes. */
  readonly bodySha256: string;
};

/** The result of a command: the object that a repeat renders, and the HTTP status of the response. */
export type Made = { readonly objectId: string; readonly status: number };
/** The result of a committed command, and whether this call is a repeat. */
export type Outcome = Made & { readonly replayed: boolean };

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `make` at most once per (partner, key), in the caller's transaction: the record commits with the effect, and a
 * refusal thrown by `make` rolls both back, so the key stays free (spec/decisions#binding-of-a-key). The caller chooses
 * the object's id in advance, so that one insert writes the whole record. A repeat gets the object of the first call.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED for another operation or body; IDEMPOTENCY_KEY_IN_PROGRESS after two seconds
 */
export async function once(tx: Tx, request: IdempotentRequest, made: Made, make: () => Promise<unknown>): Promise<Outcome> {
  if (await claim(tx, request, made)) {
    await make();
    return { ...made, replayed: false };
  }
  const [record] = await tx
    .select()
    .from(idempotencyRecords)
    .where(and(eq(idempotencyRecords.partnerId, request.partnerId), eq(idempotencyRecords.key, request.key)));
  // The first call rolled back between our insert and our read: the key is free, and the caller may simply try again.
  if (record === undefined) throw inProgress();
  if (record.operation !== request.operation || record.bodySha256 !== request.bodySha256) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  }
  return { objectId: record.objectId, status: record.status, replayed: true };
}

/**
 * Inserts the record. A concurrent first call holds its key: PostgreSQL waits for its commit or rollback, at most for
 * the pool's lock timeout (two seconds).
 */
async function claim(tx: Tx, request: IdempotentRequest, made: Made): Promise<boolean> {
  try {
    const rows = await tx
      .insert(idempotencyRecords)
      .values({ ...request, ...made })
      .onConflictDoNothing()
      .returning({ key: idempotencyRecords.key });
    return rows.length === 1;
  } catch (error) {
    throw isHeldByFirstCall(error) ? inProgress() : error;
  }
}

const insertRecord = compiledInsert(idempotencyRecords);

/** Records a command. A key that is known already violates the primary key. */
export const recordStatement = (writer: Writer, request: IdempotentRequest, made: Made) => insertRecord(writer, { ...request, ...made });

/** The first call with this key still runs, and kept this one waiting for as long as a lock may. */
export const isHeldByFirstCall = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE;

/** 409: the caller may simply try again. */
export const inProgress = (): ApiError => new ApiError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfterSeconds: 1 });
