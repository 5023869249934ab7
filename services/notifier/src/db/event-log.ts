import { and, asc, between, desc, eq, gte, inArray, lt, ne, sql, type SQL } from 'drizzle-orm';
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

/** A position in the log: events are ordered by the time they were recorded. */
export type LogPosition = { readonly recordedAt: Date; readonly eventId: string };

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
  const below =
    before === undefined
      ? undefined
      : sql`(${events.recordedAt}, ${events.eventId}) < (${before.recordedAt.toISOString()}::timestamptz, ${before.eventId}::uuid)`;
  return reader
    .select()
    .from(events)
    .where(and(matches(filter), below))
    .orderBy(desc(events.recordedAt), desc(events.eventId))
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

/** The newest hundred attempts of an event, oldest first. */
export async function listAttempts(reader: Reader, eventId: string): Promise<AttemptRow[]> {
  const rows = await reader
    .select()
    .from(attempts)
    .where(eq(attempts.eventId, eventId))
    .orderBy(desc(attempts.id))
    .limit(ATTEMPTS_MAX);
  return rows.reverse();
}

/** The number of finished events that match the filter. */
export async function countEnded(reader: Reader, filter: EventFilter): Promise<number> {
  const [row] = await reader
    .select({ count: sql<number>`count(*)::int` })
    .from(events)
    .where(and(matches(filter), ne(events.status, 'WAITING')));
  return row?.count ?? 0;
}

/** The next finished events after `after`, oldest first. */
export async function nextEnded(
  reader: Reader,
  filter: EventFilter,
  after: LogPosition | undefined,
  limit: number,
): Promise<LogPosition[]> {
  const above =
    after === undefined
      ? undefined
      : sql`(${events.recordedAt}, ${events.eventId}) > (${after.recordedAt.toISOString()}::timestamptz, ${after.eventId}::uuid)`;
  return reader
    .select({ recordedAt: events.recordedAt, eventId: events.eventId })
    .from(events)
    .where(and(matches(filter), ne(events.status, 'WAITING'), above))
    .orderBy(asc(events.recordedAt), asc(events.eventId))
    .limit(limit);
}
