import { and, asc, between, desc, eq, gte, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { uuidsBeginning } from '@pay/shared/identities/uuid-range.ts';
import { attempts, events } from './schema.ts';
import type { EventType } from '@pay/contract/events.ts';
import type { EventStatus } from '@pay/contract/states.ts';

export type EventRow = typeof events.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

/** Selects events; an absent field matches all. `from` is included, `to` is not. */
export type EventFilter = {
  /** The beginning of the event's id. */
  readonly id?: string | undefined;
  readonly partnerId?: PartnerId | undefined;
  readonly aggregateId?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly statuses?: readonly EventStatus[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/**
 * A position in the log: events are ordered by the time they were recorded. Those of one instant are ordered by their
 * version, so that of one payment the latest state is the newest; their ids tell nothing.
 */
export type LogPosition = { readonly recordedAt: Date; readonly eventId: string };

/**
 * Where a position is, to compare with the columns of `PLACE`. The version is that of the event, or the given one if the
 * event was swept meanwhile: then others of its instant may be met again, and none is passed over.
 */
const placeOf = ({ recordedAt, eventId }: LogPosition, versionOfSwept: number): SQL => sql`(
  ${recordedAt.toISOString()}::timestamptz,
  coalesce((select at.aggregate_version from events at where at.event_id = ${eventId}::uuid), ${versionOfSwept}::int),
  ${eventId}::uuid)`;
const PLACE = sql`(${events.recordedAt}, ${events.aggregateVersion}, ${events.eventId})`;
const [FIRST_VERSION, LAST_VERSION] = [0, 2 ** 31 - 1];

const matches = (filter: EventFilter): SQL | undefined => {
  const range = filter.id === undefined ? undefined : uuidsBeginning(filter.id);
  return and(
    range === undefined ? undefined : between(events.eventId, range.first, range.last),
    filter.partnerId === undefined ? undefined : eq(events.partnerId, filter.partnerId),
    filter.aggregateId === undefined ? undefined : eq(events.aggregateId, filter.aggregateId),
    filter.types === undefined || filter.types.length === 0 ? undefined : inArray(events.type, [...filter.types]),
    filter.statuses === undefined || filter.statuses.length === 0
      ? undefined
      : inArray(events.status, [...filter.statuses]),
    filter.from === undefined ? undefined : gte(events.recordedAt, filter.from),
    filter.to === undefined ? undefined : lt(events.recordedAt, filter.to),
  );
};

/** Newest first, starting before `before`. */
export async function listEvents(
  reader: Reader,
  filter: EventFilter,
  before: LogPosition | undefined,
  limit: number,
): Promise<EventRow[]> {
  const below = before === undefined ? undefined : sql`${PLACE} < ${placeOf(before, LAST_VERSION)}`;
  return reader
    .select()
    .from(events)
    .where(and(matches(filter), below))
    .orderBy(desc(events.recordedAt), desc(events.aggregateVersion), desc(events.eventId))
    .limit(limit);
}

export async function findEvent(reader: Reader, eventId: string): Promise<EventRow | undefined> {
  const [row] = await reader.select().from(events).where(eq(events.eventId, eventId));
  return row;
}

/** Finds an event owned by this partner; undefined if it belongs to another. */
export async function findPartnerEvent(
  reader: Reader,
  partnerId: PartnerId,
  eventId: string,
): Promise<EventRow | undefined> {
  const event = await findEvent(reader, eventId);
  return event?.partnerId === partnerId ? event : undefined;
}

/** A partner's newest event of a type. */
export async function findNewestEvent(
  reader: Reader,
  partnerId: PartnerId,
  type: EventType,
): Promise<EventRow | undefined> {
  const [row] = await listEvents(reader, { partnerId, types: [type] }, undefined, 1);
  return row;
}

/** Covers the twelve of the plan and those of many replays. */
export const ATTEMPTS_MAX = 100;

/** The newest hundred attempts of an event, oldest first, each with what its response said, also where it repeats itself. */
export async function listAttempts(reader: Reader, eventId: string): Promise<AttemptRow[]> {
  const rows = await reader
    .select()
    .from(attempts)
    .where(eq(attempts.eventId, eventId))
    .orderBy(desc(attempts.id))
    .limit(ATTEMPTS_MAX);
  let before: AttemptRow['excerpt'] = null;
  return rows.reverse().map((row) => {
    before = row.excerpt?.length === 0 ? before : row.excerpt;
    return { ...row, excerpt: before };
  });
}

/**
 * Finished, or an attempt of its payment is running and no state was asked for: nobody knows yet what became of it.
 */
const isReplayed = ({ statuses = [] }: EventFilter): SQL | undefined => {
  const isFinished = ne(events.status, 'WAITING');
  if (statuses.length > 0) return isFinished;
  const isLeased = sql`exists (select from aggregates a where a.aggregate_id = ${events.aggregateId} and a.lease_id is not null)`;
  return or(isFinished, isLeased);
};

/** The number of events that a replay of these sends. */
export async function countReplayed(reader: Reader, filter: EventFilter): Promise<number> {
  const [row] = await reader
    .select({ count: sql<number>`count(*)::int` })
    .from(events)
    .where(and(matches(filter), isReplayed(filter)));
  return row?.count ?? 0;
}

/** The next events to replay after `after`, oldest first. */
export async function nextReplayed(
  reader: Reader,
  filter: EventFilter,
  after: LogPosition | undefined,
  limit: number,
): Promise<LogPosition[]> {
  const above = after === undefined ? undefined : sql`${PLACE} > ${placeOf(after, FIRST_VERSION)}`;
  return reader
    .select({ recordedAt: events.recordedAt, eventId: events.eventId })
    .from(events)
    .where(and(matches(filter), isReplayed(filter), above))
    .orderBy(asc(events.recordedAt), asc(events.aggregateVersion), asc(events.eventId))
    .limit(limit);
}
