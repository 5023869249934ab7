import { randomUUID } from 'node:crypto';
import type { EventType } from '@pay/contract/events.ts';
import type { EventStatus } from '@pay/contract/states.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { countReplayed, nextReplayed, type EventFilter } from '../db/event-log.ts';
import { insertAction } from '../db/audit-log.ts';
import { advanceReplay, cancelReplay, insertReplay, lockRunningReplay, type ReplayRow } from '../db/replays.ts';
import { findIsConfigured } from '../db/receivers.ts';
import { makeDue } from '../db/resends.ts';
import type { Deps } from '../deps.ts';
import { NOT_CONFIGURED } from './replay-event.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';

/** What to resend: events of one partner recorded from `from` (included) to `to` (not included). */
export type ReplayRequest = {
  readonly partnerId: PartnerId;
  readonly from: Date;
  readonly to: Date;
  readonly types: readonly EventType[];
  readonly statuses: readonly EventStatus[];
};

/** How many events a replay would send. */
export async function previewReplay(deps: Deps, request: ReplayRequest): Promise<number> {
  return countReplayed(deps.db, request);
}

/**
 * Starts a replay; the loop below carries it out.
 * @throws ApiError ENDPOINTS_NOT_CONFIGURED while there is no address or never was a secret; STALE_REVISION if one of this
 * partner is already running
 */
export async function startReplay(deps: Deps, operator: OperatorLogin, request: ReplayRequest): Promise<ReplayRow> {
  const started = await inTransaction(deps.db, async (tx) => {
    if (!(await findIsConfigured(tx, request.partnerId))) throw new ApiError('ENDPOINTS_NOT_CONFIGURED', { text: NOT_CONFIGURED });
    const total = await countReplayed(tx, request);
    const replay = await insertReplay(tx, {
      ...request,
      types: [...request.types],
      statuses: [...request.statuses],
      replayId: randomUUID(),
      requestedBy: operator,
      total,
    });
    if (replay === undefined) throw new ApiError('STALE_REVISION', { text: 'a replay of this partner is already running' });
    const details = {
      replayId: replay.replayId,
      from: request.from.toISOString(),
      to: request.to.toISOString(),
      types: request.types,
      statuses: request.statuses,
      total,
    };
    await insertAction(tx, { operator, action: 'START_REPLAY', partnerId: request.partnerId, details });
    return replay;
  });
  deps.replays.wake();
  return started;
}

/**
 * Stops a running replay; events already handed over are still sent. @throws ApiError NOT_FOUND if it is not running
 */
export async function stopReplay(deps: Deps, operator: OperatorLogin, replayId: string): Promise<ReplayRow> {
  return inTransaction(deps.db, async (tx) => {
    const replay = await cancelReplay(tx, replayId);
    if (replay === undefined) throw new ApiError('NOT_FOUND', { text: 'no replay with this id is running' });
    await insertAction(tx, { operator, action: 'CANCEL_REPLAY', partnerId: replay.partnerId, details: { replayId } });
    return replay;
  });
}

/** Events handed over per round: with the pause, some fifty a second join the partner's live events. */
const BATCH = 50;
const PAUSE_MS = 1_000;
/** How soon a replica takes over the replays of one that was killed. */
const INTERVAL_MS = 10_000;

/** Carries out replays, one batch per second while one is running. Position and counts are in the database, so any replica can continue. */
export function replayLoop(deps: Deps): Loop {
  return {
    name: 'replays',
    intervalMs: INTERVAL_MS,
    pause: deps.replays,
    round: async () => {
      if (!(await advanceOneReplay(deps))) return 'done';
      deps.delivery.wake();
      return { nextMs: PAUSE_MS };
    },
  };
}

/** Sends one batch of one running replay. False if none is running. */
export async function advanceOneReplay(deps: Deps): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const replay = await lockRunningReplay(tx);
    if (replay === undefined) return false;
    const batch = await nextReplayed(tx, filterOf(replay), positionOf(replay), BATCH);
    const resent = await makeDue(
      tx,
      batch.map(({ eventId }) => eventId),
      replay.requestedBy,
    );
    await advanceReplay(tx, replay, resent, batch.at(-1));
    return true;
  });
}

function filterOf({ partnerId, from, to, types, statuses }: ReplayRow): EventFilter {
  return { partnerId, from, to, types, statuses };
}

function positionOf({ cursorRecordedAt, cursorEventId }: ReplayRow) {
  if (cursorRecordedAt === null || cursorEventId === null) return undefined;
  return { recordedAt: cursorRecordedAt, eventId: cursorEventId };
}
