import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '@pay/shared/logging/logger.ts';
import { keepListening } from '@pay/shared/postgres/listen.ts';
import { holdLeases, newHolder } from '../db/holders.ts';
import { atMostEvery } from '@pay/shared/time/at-most-every.ts';

const CHANNEL = 'notifier.deliveries';
/** PostgreSQL serialises the commits of transactions that notify, so a replica sends at most one in this time. */
const NOTIFY_MS = 20;
const RECONNECT_MS = 1_000;

export type Wakes = {
  /** Announces to the other replicas that something due was left. */
  readonly announce: () => void;
  /** The number that this replica's session holds; null while there is no session. */
  readonly holder: () => number | null;
  stop(): Promise<void>;
};

/**
 * This replica's own session with PostgreSQL: LISTEN and NOTIFY, and the lock that says that the replica lives (ADR
 * 0178). Losing it costs promptness, because the delivery loops also poll every second, and perhaps a repeat.
 */
export function startWakes(options: { databaseUrl: string; log: Log; onAnnounced: () => void }): Wakes {
  const stopping = new AbortController();
  const replica = randomUUID();
  const number = newHolder();
  let client: pg.Client | undefined;
  const announce = atMostEvery(NOTIFY_MS, () => {
    client?.query(`notify "${CHANNEL}", '${replica}'`).catch(() => undefined);
  });

  const running = keepListening({
    client: { connectionString: options.databaseUrl, application_name: 'notifier-wakes' },
    channel: CHANNEL,
    onNotification: (payload) => {
      if (payload !== replica) options.onAnnounced();
    },
    whileListening: async (own, ended) => {
      await holdLeases(own, number);
      client = own;
      options.onAnnounced();
      await untilAborted(ended);
      client = undefined;
    },
    retryMs: () => RECONNECT_MS,
    log: options.log,
    stopping: stopping.signal,
  });
  return {
    announce,
    holder: () => (client === undefined ? null : number),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener('abort', () => {
        resolve();
      });
  });
}
