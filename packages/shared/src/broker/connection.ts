import { setTimeout as wait } from 'node:timers/promises';
import { connect, type ChannelModel } from 'amqplib';
import type { Log } from '../logging/logger.ts';
import { corkBrokerWrites } from './fast/cork-broker-writes.ts';

/** A connection that reconnects automatically (amqplib's recovery). */
export type BrokerConnection = {
  readonly isConnected: boolean;
  /** The broker has blocked publishers (memory or disk alarm); it does not read what they write. */
  readonly isBlocked: boolean;
  close(): Promise<void>;
};

type Options = {
  readonly url: string;
  readonly name: string;
  readonly log: Log;
  /** Runs after every connect: declares topology, opens channels, starts consumers. */
  readonly setup: (model: ChannelModel) => Promise<void>;
};

/**
 * The connection is closed after two missed heartbeats: a broker that disappears silently is noticed within ten
 * seconds.
 */
const HEARTBEAT_SECONDS = 5;
const CONNECT_TIMEOUT_MS = 5_000;
/** A broker that has just started may hold up a declaration or a consumer for a queue that does not come up. */
const SETUP_TIMEOUT_MS = 10_000;
/** A broker that blocks does not answer a close request either. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Connects, and reconnects after every loss, indefinitely. Does not wait for the first connection: a service starts and
 * accepts commands while the broker is down; its outbox keeps the messages.
 */
export async function connectBroker(options: Options): Promise<BrokerConnection> {
  const { log } = options;
  let connected = false;
  let blocked = false;
  const url = new URL(options.url);
  url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  const connection = await connect(url.href, {
    timeout: CONNECT_TIMEOUT_MS,
    // Otherwise a write waits for the broker to acknowledge the previous one: up to 40 ms on a network.
    noDelay: true,
    clientProperties: { connection_name: options.name },
    recovery: {
      initialDelay: 200,
      maxDelay: 2_000,
      waitForConnect: false,
      setup: (model: ChannelModel) => setUp(model, options),
    },
  });
  connection.on('connect', () => {
    connected = true;
    blocked = false;
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
    blocked = true;
    log.warn('broker has blocked publishers', { reason });
  });
  connection.on('unblocked', () => {
    blocked = false;
    log.info('broker accepts messages again');
  });
  connection.on('handler-error', (err: Error) => {
    log.error('broker event handler failed', { err });
  });
  connection.on('error', (err: Error) => {
    log.warn('broker connection error', { err });
  });
  // Rejects if the connection is closed before it was ever up: that is our own shutdown, not an error.
  connection.waitForConnect().catch(() => undefined);
  return {
    get isConnected() {
      return connected;
    },
    get isBlocked() {
      return blocked;
    },
    close: async () => {
      connected = false;
      await Promise.race([connection.close().catch(() => undefined), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * amqplib attaches its listeners to a connection only after the setup. A connection that breaks during the setup would
 * end the process (an 'error' without a listener) or be taken for a working one (an unheard 'close'). A setup that does
 * not finish is aborted. A failed connection is closed here without waiting: amqplib would wait for the broker's reply
 * before it reconnects, forever if the connection dies first.
 */
async function setUp(model: ChannelModel, options: Options): Promise<void> {
  const deadline = new AbortController();
  const link = { closed: false };
  model.on('error', (err: Error) => {
    options.log.warn('broker connection error', { err });
  });
  model.once('close', () => {
    link.closed = true;
  });
  try {
    corkBrokerWrites(model);
    await Promise.race([options.setup(model), elapsed(SETUP_TIMEOUT_MS, deadline.signal)]);
    if (link.closed) throw new Error('the connection broke while it was set up');
  } catch (error) {
    model.close().catch(() => undefined);
    throw error;
  } finally {
    deadline.abort();
  }
}

/** Rejects after that time, unless it is no longer needed. */
async function elapsed(ms: number, ended: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: ended, ref: false }).catch(() => undefined);
  if (!ended.aborted) throw new Error(`the broker did not finish the setup within ${String(ms)} ms`);
}
