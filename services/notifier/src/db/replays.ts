import { and, desc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { replays } from './schema.ts';
import type { LogPosition } from './event-log.ts';

export type ReplayRow = typeof replays.$inferSelect;
type NewReplay = Pick<ReplayRow, 'replayId' | 'partnerId' | 'requestedBy' | 'from' | 'to' | 'types' | 'statuses' | 'total'>;

/** Undefined if a replay of this partner is already running. */
export async function insertReplay(tx: Tx, replay: NewReplay): Promise<ReplayRow | undefined> {
  const [row] = await tx
    .insert(replays)
    .values({ ...replay, state: 'RUNNING' })
    .onConflictDoNothing()
    .returning();
  return row;
}

export async function findReplay(reader: Reader, replayId: string): Promise<ReplayRow | undefined> {
  const [row] = await reader.select().from(replays).where(eq(replays.replayId, replayId));
  return row;
}

/** Newest first. */
export async function listReplays(reader: Reader, partnerId: PartnerId | undefined, limit: number): Promise<ReplayRow[]> {
  return reader
    .select()
    .from(replays)
    .where(partnerId === undefined ? undefined : eq(replays.partnerId, partnerId))
    .orderBy(desc(replays.createdAt), desc(replays.replayId))
    .limit(limit);
}

/** Locks a running replay that no other replica is advancing at the moment. */
export async function lockRunningReplay(tx: Tx): Promise<ReplayRow | undefined> {
  const [row] = await tx
    .select()
    .from(replays)
    .where(eq(replays.state, 'RUNNING'))
    .orderBy(sql`random()`)
    .limit(1)
    .for('update', { skipLocked: true });
  return row;
}

/** Moves a replay past `position`; without one the replay is done. */
export async function advanceReplay(tx: Tx, replay: ReplayRow, resent: number, position: LogPosition | undefined): Promise<void> {
  await tx
    .update(replays)
    .set(
      position === undefined
        ? { state: 'DONE' }
        : {
            resent: replay.resent + resent,
            cursorRecordedAt: position.recordedAt,
            cursorEventId: position.eventId,
          },
    )
    .where(eq(replays.replayId, replay.replayId));
}

/** Ends a running replay where it is. */
export async function cancelReplay(tx: Tx, replayId: string): Promise<ReplayRow | undefined> {
  const rows = await tx
    .update(replays)
    .set({ state: 'CANCELLED' })
    .where(and(eq(replays.replayId, replayId), eq(replays.state, 'RUNNING')))
    .returning();
  return rows.length === 0 ? undefined : onlyRow(rows);
}
