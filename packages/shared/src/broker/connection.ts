import { connect, type ChannelModel } from 'amqplib';
import type { Log } from '../logging/logger.ts';

/** A connection that comes back by itself (amqplib's recovery). */
export type BrokerConnection = {
  readonly isConnected: boolean;
  close(): Promise<void>;
};

type Options = {
  readonly url: string;
  readonly name: string;
  readonly log: Log;
  /** Runs after every connect: declares topology, opens channels, starts consumers. */
  readonly setup: (model: ChannelModel) => Promise<void>;
};

const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects, and keeps reconnecting for ever after a loss. Does not wait for the first connection: a service starts,
 * and takes commands, while the broker is away; its outbox keeps what it would have said.
 */
export async function connectBroker(options: Options): Promise<BrokerConnection> {
  const { log } = options;
  let connected = false;
  const url = new URL(options.url);
  url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  const connection = await connect(url.href, {
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: options.name },
    recovery: { initialDelay: 200, maxDelay: 2_000, waitForConnect: false, setup: (model: ChannelModel) => options.setup(model) },
  });
  connection.on('connect', () => {
    connected = true;
    log.info('broker connected');
  });
  connection.on('disconnect', (err: Error) => {
    connected = false;
    log.warn('broker connection lost', { err });
  });
  connection.on('connect-failed', (err: Error) => {
    log.warn('broker connection attempt failed', { err });
  });
  connection.on('blocked', (reason: string) => {
    log.warn('broker blocks publishers', { reason });
  });
  connection.on('handler-error', (err: Error) => {
    log.error('broker event handler failed', { err });
  });
  connection.on('error', (err: Error) => {
    log.warn('broker connection error', { err });
  });
  // Rejects when the connection is closed before it was ever up: that is our own stop, not a fault.
  connection.waitForConnect().catch(() => undefined);
  return {
    get isConnected() {
      return connected;
    },
    close: () => connection.close().catch(() => undefined),
  };
}
