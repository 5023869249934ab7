import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { settledPositions, type SettledPosition } from '@pay/shared/postgres/settled-position.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Pause } from '@pay/shared/time/pause.ts';
import { listRequests, newestRequests, nextRequests, type LoggedRequest } from '../db/request-log.ts';

/** One page, newest first, of those that the partner signed, or of the others. `next`: where the next one begins. */
export async function readRequests(
  db: Db,
  of: { readonly partnerId: PartnerId; readonly isVerified: boolean },
  before: bigint | undefined,
  limit: number,
): Promise<{ readonly items: readonly LoggedRequest[]; readonly next: bigint | undefined }> {
  const rows = await listRequests(db, of, before, limit + 1);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1)?.position : undefined };
}

/** What the streams of a replica ask while they wait. */
export const settledRequests = (db: Db): SettledPosition =>
  settledPositions({ db, table: 'request_log', newest: (partnerIds) => newestRequests(db, partnerIds) });

const BATCH_MAX = 100;
/** Other replicas wake nobody here. */
const POLL_MS = 1_000;

/**
 * A partner's requests as they are answered, from a position or from now on, in batches until `ended`. The first item says where the stream
 * begins.
 */
export async function* streamRequests(
  db: Db,
  {
    partnerId,
    after,
    news,
    settled,
  }: {
    readonly partnerId: PartnerId;
    readonly after: bigint | undefined;
    readonly news: Pause;
    readonly settled: SettledPosition;
  },
  ended: AbortSignal,
): AsyncGenerator<{ readonly position: bigint; readonly requests: readonly LoggedRequest[] }> {
  let position = after ?? (await settled(partnerId, ended)) ?? 0n;
  // It ended while it waited for its beginning: that is unknown, and 0 would be everything there is.
  if (!ended.aborted) yield { position, requests: [] };
  while (!ended.aborted) {
    const upTo = (await settled(partnerId, ended)) ?? 0n;
    const requests = upTo <= position ? [] : await nextRequests(db, partnerId, { after: position, upTo }, BATCH_MAX);
    const last = requests.at(-1);
    if (last === undefined) {
      await news.wait(POLL_MS, ended);
      continue;
    }
    position = last.position;
    yield { position, requests };
  }
}
