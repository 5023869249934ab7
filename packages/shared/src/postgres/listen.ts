import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../logging/logger.ts';

type Options = {
  /**
   * Connects directly to PostgreSQL: a pooler does not keep sessions (decisions/pooler). Logs use its
   * `application_name`.
   */
  readonly client: pg.ClientConfig & { readonly application_name: string };
  readonly channel: string | ((client: pg.Client) => Promise<string>);
  readonly onNotification: (payload: string | undefined) => void;
  /**
   * Runs once the connection listens. `ended` is aborted when it is lost or at shutdown; then the connection is closed.
   */
  readonly whileListening: (client: pg.Client, ended: AbortSignal) => Promise<void>;
  /** The pause before reconnecting. */
  readonly retryMs: () => number;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

const CONNECT_TIMEOUT_MS = 3_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Listens for notifications until stopped, reconnecting as needed. A notification sent between two connections is lost:
 * listeners must also poll.
 */
export async function keepListening(options: Options): Promise<void> {
  const { log, stopping } = options;
  const connection = options.client.application_name;
  while (!stopping.aborted) {
    const lost = new AbortController();
    const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true, ...options.client });
    client.on('notification', ({ payload }) => {
      options.onNotification(payload);
    });
    client.on('error', (err) => {
      log.warn('listening connection lost', { connection, err });
      lost.abort();
    });
    client.on('end', () => {
      lost.abort();
    });
    try {
      await client.connect();
      const channel = typeof options.channel === 'string' ? options.channel : await options.channel(client);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      await options.whileListening(client, AbortSignal.any([stopping, lost.signal]));
    } catch (err) {
      log.warn('listening connection failed, reconnecting', { connection, err });
    }
    // A server that is gone does not answer a close request.
    await Promise.race([client.end().catch(() => undefined), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await wait(options.retryMs(), undefined, { signal: stopping }).catch(() => undefined);
  }
}
