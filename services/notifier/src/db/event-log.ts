import { and, asc, between, desc, eq, getTableColumns, gte, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { LOOKED_AT_MAX, lookThrough } from '@pay/shared/postgres/look-through.ts';
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

/** What events are read along, by an index. */
const isAlong = (filter: EventFilter): SQL | undefined => {
  const range = filter.id === undefined ? undefined : uuidsBeginning(filter.id);
  return and(
    range === undefined ? undefined : between(events.eventId, range.first, range.last),
    filter.partnerId === undefined ? undefined : eq(events.partnerId, filter.partnerId),
    filter.aggregateId === undefined ? undefined : eq(events.aggregateId, filter.aggregateId),
    filter.from === undefined ? undefined : gte(events.recordedAt, filter.from),
    filter.to === undefined ? undefined : lt(events.recordedAt, filter.to),
  );
};

/** What is looked for among them. */
const isAmong = ({ types = [], statuses = [] }: EventFilter): SQL | undefined =>
  and(
    types.length === 0 ? undefined : inArray(events.type, [...types]),
    statuses.length === 0 ? undefined : inArray(events.status, [...statuses]),
  );

const matches = (filter: EventFilter): SQL | undefined => and(isAlong(filter), isAmong(filter));

/** A page, and the event after which the next one begins; undefined on the last. */
export type EventPage = { readonly items: readonly EventRow[]; readonly next: EventRow | undefined };

const NEWEST = [desc(events.recordedAt), desc(events.aggregateVersion), desc(events.eventId)];

/**
 * Newest first, starting before `before`. Of one partner's events a bounded number is looked at for those of a type or
 * status: an index by status would be written again with every delivery.
 */
export async function listEvents(reader: Reader, filter: EventFilter, before: LogPosition | undefined, limit: number): Promise<EventPage> {
  const below = before === undefined ? undefined : sql`${PLACE} < ${placeOf(before, LAST_VERSION)}`;
  const among = filter.partnerId === undefined ? undefined : isAmong(filter);
  const along = among === undefined ? matches(filter) : isAlong(filter);
  const rows = (count: number) =>
    reader
      .select()
      .from(events)
      .where(and(along, below))
      .orderBy(...NEWEST)
      .limit(count);
  return lookThrough<EventRow, EventRow>(
    {
      page: (count) => {
        if (among === undefined) return rows(count);
        const looked = rows(LOOKED_AT_MAX).as('events');
        return reader
          .select(getTableColumns(events))
          .from(looked)
          .where(among)
          .orderBy(...NEWEST)
          .limit(count);
      },
      lastLookedAt: async () => (among === undefined ? undefined : (await rows(1).offset(LOOKED_AT_MAX - 1)).at(0)),
      placeOf: (row) => row,
      isLater,
    },
    limit,
  );
}

/** Of two events: whether the first is further down in a log with the newest on top. */
function isLater(row: EventRow, than: EventRow): boolean {
  if (row.recordedAt.getTime() !== than.recordedAt.getTime()) return row.recordedAt < than.recordedAt;
  if (row.aggregateVersion !== than.aggregateVersion) return row.aggregateVersion < than.aggregateVersion;
  return row.eventId < than.eventId;
}

export async function findEvent(reader: Reader, eventId: string): Promise<EventRow | undefined> {
  const [row] = await reader.select().from(events).where(eq(events.eventId, eventId));
  return row;
}

/** Finds an event owned by this partner; undefined if it belongs to another. */
export async function findPartnerEvent(reader: Reader, partnerId: PartnerId, eventId: string): Promise<EventRow | undefined> {
  const event = await findEvent(reader, eventId);
  return event?.partnerId === partnerId ? event : undefined;
}

/** A partner's newest event of a type. */
export async function findNewestEvent(reader: Reader, partnerId: PartnerId, type: EventType): Promise<EventRow | undefined> {
  const [row] = await reader
    .select()
    .from(events)
    .where(matches({ partnerId, types: [type] }))
    .orderBy(...NEWEST)
    .limit(1);
  return row;
}

/** Covers the twelve of the retry schedule and those of many replays. */
export const ATTEMPTS_MAX = 100;

/** The newest hundred attempts of an event, oldest first, each with what its response said, also where it repeats itself. */
export async function listAttempts(reader: Reader, eventId: string): Promise<AttemptRow[]> {
  const rows = await reader.select().from(attempts).where(eq(attempts.eventId, eventId)).orderBy(desc(attempts.id)).limit(ATTEMPTS_MAX);
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
