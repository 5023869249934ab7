import { settledPositions, type SettledPosition } from '@pay/shared/postgres/settled-position.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Pause } from '@pay/shared/time/pause.ts';
import { listPositions, newestPositions, readSigning, type StreamedEvent } from '../db/event-stream.ts';
import { SecretCache } from '../delivery/secret-cache.ts';
import { callbackHeaders } from '../delivery/send.ts';
import type { Deps } from '../deps.ts';

/** An event with the headers that its callback would have now. */
export type Streamed = Pick<StreamedEvent, 'position' | 'eventId' | 'type' | 'body'> & {
  readonly headers: Readonly<Record<string, string>>;
};

type Stream = {
  readonly partnerId: PartnerId;
  /** Continues after this number; undefined begins with what is stored from now on. */
  readonly after: bigint | undefined;
  /** Woken when events were stored. */
  readonly news: Pause;
  /** Shared by the streams of the replica. */
  readonly settled: SettledPosition;
};

/** What the streams of a replica ask while they wait. */
export const settledEvents = (db: Deps['db']): SettledPosition =>
  settledPositions({ db, table: 'events', newest: (partnerIds) => newestPositions(db, partnerIds) });

const BATCH_MAX = 50;
/** A wake may be lost with the connection that carries it. */
const POLL_MS = 1_000;

/**
 * GET /api/event-stream: a partner's events as they are stored, each with its number, in batches until `ended`. The first
 * item says where the stream begins. Nothing is remembered: the number that the client holds is the whole state
 * (decisions/event-stream).
 */
export async function* streamEvents(
  deps: Deps,
  { partnerId, after, news, settled }: Stream,
  ended: AbortSignal,
): AsyncGenerator<{ readonly position: bigint; readonly events: readonly Streamed[] }> {
  const { db } = deps;
  const secrets = new SecretCache(deps.encryptionKeys);

  let position = after ?? (await settled(partnerId, ended)) ?? 0n;
  // It ended while it waited for its beginning: that is unknown, and 0 would be everything there is.
  if (!ended.aborted) yield { position, events: [] };
  while (!ended.aborted) {
    const upTo = (await settled(partnerId, ended)) ?? 0n;
    const found = upTo <= position ? [] : await listPositions(db, partnerId, { after: position, upTo }, BATCH_MAX);
    const last = found.at(-1);
    if (last === undefined) {
      await news.wait(POLL_MS, ended);
      continue;
    }
    const { keys: rows, realNow: now } = await readSigning(db, partnerId);
    const keys = rows.map((row) => secrets.keyOf(partnerId, row));
    position = last.position;
    yield { position, events: found.map((one) => ({ ...one, headers: callbackHeaders({ ...one, keys, now }) })) };
  }
}
