import { settledPosition } from '@pay/shared/postgres/settled-position.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Pause } from '@pay/shared/time/pause.ts';
import { listPositions, newestPosition, readSigning, type StreamedEvent } from '../db/event-stream.ts';
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
};

const BATCH_MAX = 50;
/** A wake may be lost with the connection that carries it. */
const POLL_MS = 1_000;

/**
 * GET /api/event-stream: a partner's events as they are stored, each with its number, in batches until `ended`. The first
 * item says where the stream begins. Nothing is remembered: the number that the client holds is the whole state (ADR 0204).
 */
export async function* streamEvents(
  deps: Deps,
  { partnerId, after, news }: Stream,
  ended: AbortSignal,
): AsyncGenerator<{ readonly position: bigint; readonly events: readonly Streamed[] }> {
  const { db } = deps;
  const secrets = new SecretCache(deps.encryptionKeys);
  const settledAbove = (position: bigint) =>
    settledPosition({ db, table: 'events', newest: () => newestPosition(db, partnerId, position), ended });

  let position = after ?? (await settledAbove(0n)) ?? 0n;
  // It ended while it waited for its beginning: that is unknown, and 0 would be everything there is.
  if (!ended.aborted) yield { position, events: [] };
  while (!ended.aborted) {
    const upTo = await settledAbove(position);
    const found = upTo === undefined ? [] : await listPositions(db, partnerId, { after: position, upTo }, BATCH_MAX);
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
