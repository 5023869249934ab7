import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '@pay/shared/logging/logger.ts';
import { atMostEvery } from '@pay/shared/time/at-most-every.ts';

const CHANNEL = 'notifier.deliveries';
/** PostgreSQL lets transactions that notify commit one after another, so a replica sends at most one in this time. */
const NOTIFY_MS = 20;
const RECONNECT_MS = 1_000;

export type Wakes = {
  /** Tells the other replicas that something due was left. */
  readonly announce: () => void;
  stop(): Promise<void>;
};

/**
 * LISTEN and NOTIFY on a connection of its own. Losing it costs only promptness: the engines also look by themselves
 * every second.
 */
export function startWakes(options: { databaseUrl: string; log: Log; onAnnounced: () => void }): Wakes {
  const stopping = new AbortController();
  const replica = randomUUID();
  let client: pg.Client | undefined;
  const announce = atMostEvery(NOTIFY_MS, () => {
    client?.query(`notify "${CHANNEL}", '${replica}'`).catch(() => undefined);
  });

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const lost = new AbortController();
      const own = new pg.Client({
        connectionString: options.databaseUrl,
        application_name: 'notifier-wakes',
        connectionTimeoutMillis: 3_000,
        keepAlive: true,
      });
      own.on('notification', ({ payload }) => {
        if (payload !== replica) options.onAnnounced();
      });
      own.on('error', () => {
        lost.abort();
      });
      own.on('end', () => {
        lost.abort();
      });
      try {
        await own.connect();
        await own.query(`listen "${CHANNEL}"`);
        client = own;
        options.onAnnounced();
        await untilAborted(AbortSignal.any([stopping.signal, lost.signal]));
      } catch (err) {
        options.log.warn('the connection for wakes failed', { err });
      }
      client = undefined;
      await own.end().catch(() => undefined);
      await wait(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    announce,
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
