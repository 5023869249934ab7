import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { TimeRange } from '@pay/shared/http/time-range.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { listKeys } from '../db/callback-keys.ts';
import {
  findEvent,
  findPartnerEvent,
  listAttempts,
  listEvents,
  type AttemptRow,
  type EventFilter,
  type EventPage,
  type EventRow,
  type LogPosition,
} from '../db/event-log.ts';
import { listGaps, type Gap } from '../db/gaps.ts';
import { listActions, listAlerts, type ActionRow, type AlertRow } from '../db/audit-log.ts';
import { readDeliveryBuckets, readWaiting, type DeliveryBucket } from '../db/overview.ts';
import { listReceivers, type ReceiverOverview } from '../db/receivers.ts';
import { findReplay, listReplays, type ReplayRow } from '../db/replays.ts';
import type { Deps } from '../deps.ts';

export type { ActionRow, AlertRow, AttemptRow, EventFilter, EventRow, Gap, LogPosition, ReceiverOverview, ReplayRow };

/** One page of the log, newest first. */
export async function readEvents(deps: Deps, filter: EventFilter, before: LogPosition | undefined, limit: number): Promise<EventPage> {
  return listEvents(deps.db, filter, before, limit);
}

export type EventStory = { readonly event: EventRow; readonly attempts: readonly AttemptRow[] };

/** An event with its newest hundred attempts. @throws ApiError NOT_FOUND */
export async function readEvent(deps: Deps, eventId: string): Promise<EventStory> {
  return storyOf(deps, await findEvent(deps.db, eventId));
}

/** The same for a partner. @throws ApiError NOT_FOUND, also for another partner's event */
export async function readPartnerEvent(deps: Deps, partnerId: PartnerId, eventId: string): Promise<EventStory> {
  return storyOf(deps, await findPartnerEvent(deps.db, partnerId, eventId));
}

async function storyOf(deps: Deps, event: EventRow | undefined): Promise<EventStory> {
  if (event === undefined) throw new ApiError('NOT_FOUND');
  return { event, attempts: await listAttempts(deps.db, event.eventId) };
}

/** Payments and bindings whose events wait for a version that never arrived, longest wait first. */
export async function readGaps(deps: Deps, limit: number): Promise<Gap[]> {
  return listGaps(deps.db, limit);
}

/** Partners ordered by id. */
export async function readReceivers(deps: Deps, after: string | undefined, limit: number): Promise<ReceiverOverview[]> {
  return listReceivers(deps.db, { after, limit });
}

type PublicKey = Awaited<ReturnType<typeof listKeys>>[number];

/** One partner's receiver and its keys, without secrets. @throws ApiError NOT_FOUND */
export async function readReceiver(deps: Deps, partnerId: PartnerId): Promise<{ receiver: ReceiverOverview; keys: PublicKey[] }> {
  const [receiver] = await listReceivers(deps.db, { partnerId, limit: 1 });
  if (receiver === undefined) throw new ApiError('NOT_FOUND');
  return { receiver, keys: await listKeys(deps.db, partnerId) };
}

/** @throws ApiError NOT_FOUND */
export async function readReplay(deps: Deps, replayId: string): Promise<ReplayRow> {
  const replay = await findReplay(deps.db, replayId);
  if (replay === undefined) throw new ApiError('NOT_FOUND');
  return replay;
}

export async function readReplays(deps: Deps, partnerId: PartnerId | undefined, limit: number): Promise<ReplayRow[]> {
  return listReplays(deps.db, partnerId, limit);
}

export async function readAlerts(deps: Deps, partnerId: PartnerId | undefined, limit: number): Promise<AlertRow[]> {
  return listAlerts(deps.db, partnerId, limit);
}

export async function readActions(deps: Deps, partnerId: PartnerId | undefined, limit: number): Promise<ActionRow[]> {
  return listActions(deps.db, partnerId, limit);
}

/** GET /operator/overview */
export async function readDeliveryOverview(
  reader: Reader,
  range: TimeRange,
): Promise<{
  readonly buckets: readonly DeliveryBucket[];
  readonly waiting: { readonly waiting: number; readonly oldestAt: Date | null };
}> {
  return { buckets: await readDeliveryBuckets(reader, range), waiting: await readWaiting(reader) };
}
