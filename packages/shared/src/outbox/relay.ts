import { setTimeout as wait } from 'node:timers/promises';
import type { ConfirmChannel } from 'amqplib';
import pg from 'pg';
import { connectBroker } from '../broker/connection.ts';
import { publishInOrder, type OutgoingMessage } from '../broker/publish.ts';
import { declareExchanges } from '../broker/topology.ts';
import type { Log } from '../logging/logger.ts';
import { outboxOldest, outboxPending } from '../telemetry/metrics.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';

type Options = { readonly databaseUrl: string; readonly amqpUrl: string; readonly service: string; readonly log: Log };

export type Relay = { readonly isConnected: boolean; stop(): Promise<void> };

/** Rows read, published and deleted at once: large enough to pipeline confirms, small enough to repeat cheaply. */
const BATCH = 500;
/** The safety net under LISTEN/NOTIFY. */
const POLL_MS = 1_000;
/** How often a replica that does not lead asks for the lock, and how long a fault makes the leader wait. */
const RETRY_MS = 1_000;

const LOCK = 'select pg_try_advisory_lock(hashtext($1)) as leads';
const NEXT_BATCH = `select position, message_id as "messageId", type, aggregate_id as "aggregateId", payload,
  request_id as "requestId", traceparent, occurred_at as "occurredAt" from outbox order by position limit ${String(BATCH)}`;
const FORGET = 'delete from outbox where position = any($1::bigint[])';
const WAITING = `select count(*)::int as pending, coalesce(extract(epoch from clock_now() - min(occurred_at)), 0)::float as oldest
  from (select occurred_at from outbox order by position limit 10000) as waiting`;

/**
 * Publishes a service's outbox in order, after commit. One replica leads (an advisory lock on a connection of its own,
 * freed by PostgreSQL when the leader dies): two relays would publish one payment's messages out of order. Rows are
 * deleted after the broker confirmed them; a crash in between publishes them again, hence the inboxes.
 */
export async function startRelay(options: Options): Promise<Relay> {
  const { log } = options;
  const stop = new AbortController();
  let channel: ConfirmChannel | undefined;
  // A notification that comes while a batch is on its way must not be missed: it is remembered until the next pause.
  let notified = false;
  let early: AbortController | undefined;
  const wake = () => {
    notified = true;
    early?.abort();
  };

  const broker = await connectBroker({
    url: options.amqpUrl,
    name: `${options.service}-relay`,
    log,
    setup: async (model) => {
      const opened = await model.createConfirmChannel();
      opened.on('error', (err: Error) => {
        log.error('relay channel failed', { err });
      });
      opened.on('close', () => {
        if (channel === opened) channel = undefined;
        if (!stop.signal.aborted) model.close().catch(() => undefined);
      });
      await declareExchanges(opened);
      channel = opened;
      wake();
    },
  });

  /** Leads, or waits to, on one connection; returns when that connection is lost. */
  async function lead(client: pg.Client, lost: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([stop.signal, lost]);
    await client.query(`listen "${OUTBOX_CHANNEL}.${options.service}"`);
    while (!ended.aborted) {
      const { rows } = await client.query<{ leads: boolean }>(LOCK, [`relay.${options.service}`]);
      if (rows[0]?.leads === true) break;
      await pause(RETRY_MS, ended);
    }
    if (!ended.aborted) log.info('relay leads');
    while (!ended.aborted) {
      notified = false;
      const published = await relayBatch(client).catch((err: unknown) => {
        log.warn('outbox batch not published, it stays', { err });
        return undefined;
      });
      if (published === BATCH) continue;
      if (published === undefined) await pause(RETRY_MS, ended);
      else await pauseUnlessNotified(ended);
    }
  }

  async function relayBatch(client: pg.Client): Promise<number> {
    const waiting = await client.query<{ pending: number; oldest: number }>(WAITING);
    outboxPending.set(waiting.rows[0]?.pending ?? 0);
    outboxOldest.set(waiting.rows[0]?.oldest ?? 0);
    if (waiting.rows[0]?.pending === 0) return 0;
    if (channel === undefined) throw new Error('the broker is away');
    const { rows } = await client.query<OutgoingMessage & { position: string }>(NEXT_BATCH);
    await publishInOrder(channel, rows);
    await client.query(FORGET, [rows.map((row) => row.position)]);
    return rows.length;
  }

  /** Waits, at most until the next poll; a notification ends it early. */
  async function pauseUnlessNotified(ended: AbortSignal): Promise<void> {
    if (notified) return;
    early = new AbortController();
    await pause(POLL_MS, AbortSignal.any([ended, early.signal]));
    early = undefined;
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const lost = new AbortController();
      const client = new pg.Client({
        connectionString: options.databaseUrl,
        application_name: `${options.service}-relay`,
        connectionTimeoutMillis: 3_000,
        statement_timeout: 10_000,
        keepAlive: true,
      });
      client.on('notification', () => {
        wake();
      });
      client.on('error', (err) => {
        log.warn('relay lost its database connection', { err });
        lost.abort();
      });
      client.on('end', () => {
        lost.abort();
      });
      try {
        await client.connect();
        await lead(client, lost.signal);
      } catch (err) {
        log.warn('relay failed, it starts again', { err });
      }
      await client.end().catch(() => undefined);
      await pause(RETRY_MS, stop.signal);
    }
  }

  const running = run();
  return {
    get isConnected() {
      return broker.isConnected;
    },
    async stop() {
      stop.abort();
      await running;
      await broker.close();
    },
  };
}

/** Waits; an abort ends the wait, quietly. */
async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: ended }).catch(() => undefined);
}
