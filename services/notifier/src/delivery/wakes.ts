import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '@pay/shared/logging/logger.ts';
import { keepListening } from '@pay/shared/postgres/listen.ts';
import { holdLeases, newHolder } from '../db/holders.ts';
import { atMostEvery } from '@pay/shared/time/at-most-every.ts';

const CHANNEL = 'notifier.deliveries';
/** PostgreSQL serialises the commits of transactions that notify, so a replica sends at most one in this time. */
const NOTIFY_MS = 20;
/** Streams may be that much later than callbacks. */
const NOTIFY_STORED_MS = 100;
/** Ends the payload of a notification that is for streams only. */
const STORED = ' stored';
const RECONNECT_MS = 1_000;
/** How often the session is asked whether it is there: its other end may be gone without a word. */
const ASK_MS = 1_000;
/** A session that does not answer within this is given up. */
const ANSWER_MS = 2_000;

export type Wakes = {
  /** Announces to the other replicas that something due was left. */
  readonly announce: () => void;
  /** Announces to them that events were stored, for their streams. */
  readonly announceStored: () => void;
  /** This replica's number, with a session or without. */
  readonly number: number;
  /** The number while its session holds it; null while there is no session that answers. */
  readonly holder: () => number | null;
  stop(): Promise<void>;
};

/**
 * This replica's own session with PostgreSQL: LISTEN and NOTIFY, and the lock that says that the replica lives
 * (decisions/callback-delivery). Losing it costs promptness, because the delivery loops also poll every second, and
 * perhaps a repeat.
 */
export function startWakes(options: { databaseUrl: string; log: Log; onAnnounced: () => void; onStored: () => void }): Wakes {
  const stopping = new AbortController();
  const replica = randomUUID();
  const number = newHolder();
  let client: pg.Client | undefined;
  const notify = (payload: string) => {
    client?.query(`notify "${CHANNEL}", '${payload}'`).catch(() => undefined);
  };
  const announce = atMostEvery(NOTIFY_MS, () => {
    notify(replica);
  });
  const announceStored = atMostEvery(NOTIFY_STORED_MS, () => {
    notify(`${replica}${STORED}`);
  });

  const running = keepListening({
    client: { connectionString: options.databaseUrl, application_name: 'notifier-wakes', query_timeout: ANSWER_MS },
    channel: CHANNEL,
    onNotification: (payload = '') => {
      if (payload.startsWith(replica)) return;
      if (payload.endsWith(STORED)) options.onStored();
      else options.onAnnounced();
    },
    whileListening: async (own, ended) => {
      await holdLeases(own, number);
      client = own;
      options.onAnnounced();
      try {
        while (await isOpenAfter(ASK_MS, ended)) await own.query('select 1');
      } finally {
        client = undefined;
      }
    },
    retryMs: () => RECONNECT_MS,
    log: options.log,
    stopping: stopping.signal,
  });
  return {
    announce,
    announceStored,
    number,
    holder: () => (client === undefined ? null : number),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Waits this long, or until `ended`. */
async function isOpenAfter(ms: number, ended: AbortSignal): Promise<boolean> {
  await wait(ms, undefined, { signal: ended }).catch(() => undefined);
  return !ended.aborted;
}
