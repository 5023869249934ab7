import { setTimeout as wait } from 'node:timers/promises';
import type { ConfirmChannel } from 'amqplib';
import pg from 'pg';
import { connectBroker, type BrokerConnection } from '../broker/connection.ts';
import { PublishError, publishInOrder, type OutgoingMessage, type Published } from '../broker/publish.ts';
import type { SigningKeys } from '../broker/fact-signature.ts';
import { keepTopology } from '../broker/keep-topology.ts';
import { declareProducer, type FactRoutes } from '../broker/topology.ts';
import { sendWhole, type Statement } from '../database/send-whole.ts';
import type { Log } from '../logging/logger.ts';
import { outboxOldest, outboxPending } from '../telemetry/metrics.ts';
import { createPause, type Pause } from '../time/pause.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';

type Options = {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly service: string;
  readonly facts: FactRoutes;
  readonly keys: SigningKeys;
  readonly log: Log;
};

export type Relay = { readonly isConnected: boolean; stop(): Promise<void> };

/** Rows read, published and deleted at once: large enough to pipeline confirms, small enough to repeat cheaply. */
const BATCH = 500;
/** The safety net under LISTEN/NOTIFY. */
const POLL_MS = 1_000;
/** How often a replica that does not lead asks for the lock, and how long a fault makes the leader wait. */
const RETRY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that does not answer at all: longer than its own limit, so that its answer wins where there is one. */
const QUERY_TIMEOUT_MS = 12_000;
const CLOSE_TIMEOUT_MS = 2_000;
/**
 * PostgreSQL ends the session of a leader that froze (30 s without a statement; a leader asks every second) or whose
 * machine is gone (20 s without an answer), and with it the lock: another replica takes over. The relay only deletes what
 * was published, and does not wait for the disk: what a crash brings back is published again, and known to the inboxes.
 * It reads by index only: statistics say of an outbox that it is empty, and a plan for an empty table reads over all that was
 * deleted since the last vacuum, with every batch.
 */
const SESSION = [
  '-c synchronous_commit=off -c idle_session_timeout=30000',
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  '-c enable_seqscan=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan -c jit=off',
].join(' ');

const LOCK = 'select pg_try_advisory_lock(hashtext($1)) as leads';
const SCHEMA = 'select current_schema() as schema';
const NEXT_BATCH = {
  name: 'next-batch',
  values: [],
  text: `select position, message_id as "messageId", type, aggregate_id as "aggregateId", payload,
  request_id as "requestId", traceparent, occurred_at as "occurredAt" from outbox order by position limit ${String(BATCH)}`,
};
const FORGET = 'delete from outbox where position = any($1::bigint[])';
const WAITING = `select count(*)::int as pending, coalesce(extract(epoch from clock_now() - min(occurred_at)), 0)::float as oldest
  from (select occurred_at from outbox order by position limit 10000) as waiting`;

/**
 * Publishes a service's outbox in order, after commit. One replica leads (an advisory lock on a connection of its own,
 * freed by PostgreSQL when the leader dies): two relays would publish one payment's messages out of order. Rows are
 * deleted after the broker confirmed them; a crash in between publishes them again, hence the inboxes.
 */
export async function startRelay(options: Options): Promise<Relay> {
  const stop = new AbortController();
  const pause = createPause();
  const publisher = await connectPublisher(options, pause, stop.signal);
  const running = keepLeading({ ...options, publisher, pause, stopping: stop.signal });
  return {
    get isConnected() {
      return publisher.broker.isConnected;
    },
    async stop() {
      stop.abort();
      await running;
      await publisher.broker.close();
    },
  };
}

type Publisher = {
  readonly broker: BrokerConnection;
  /** There is a channel to publish on. While there is none, the connection's own log says why. */
  readonly isOpen: () => boolean;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<Published>;
  /** These are not in the outbox any more. */
  readonly forget: (messages: readonly OutgoingMessage[]) => void;
};

async function connectPublisher(options: Options, pause: Pause, stopping: AbortSignal): Promise<Publisher> {
  const { log, service, facts, keys } = options;
  let channel: ConfirmChannel | undefined;
  const broker = await connectBroker({
    url: options.amqpUrl,
    name: `${service}-relay`,
    log,
    setup: async (model) => {
      const opened = await model.createConfirmChannel();
      opened.on('error', (err: Error) => {
        log.error('relay channel failed', { err });
      });
      opened.on('close', () => {
        if (channel === opened) channel = undefined;
        if (!stopping.aborted) model.close().catch(() => undefined);
      });
      await declareProducer(opened, service);
      channel = opened;
      pause.wake();
      await keepTopology({ model, part: 'relay', log, declare: (other) => declareProducer(other, service) });
    },
  });
  const safe = new Map<string, Set<string>>();
  const publish = async (messages: readonly OutgoingMessage[]): Promise<Published> => {
    if (channel === undefined) return { taken: 0, problem: new PublishError('the broker is away') };
    // What is written to a blocked connection piles up in this process.
    if (broker.isBlocked) return { taken: 0, problem: new PublishError('the broker blocks publishers') };
    // Of a batch that another replica deleted meanwhile, or that this one could not delete.
    const batch = new Set(messages.map(({ messageId }) => messageId));
    for (const messageId of safe.keys()) if (!batch.has(messageId)) safe.delete(messageId);
    return publishInOrder(channel, messages, { producer: service, facts, keys, safe });
  };
  const forgotten = (messages: readonly OutgoingMessage[]) => {
    for (const { messageId } of messages) safe.delete(messageId);
  };
  return { broker, isOpen: () => channel !== undefined, publish, forget: forgotten };
}

type Context = Options & { readonly publisher: Publisher; readonly pause: Pause; readonly stopping: AbortSignal };

/** Leads, or waits to, until stopped; whatever breaks the database connection starts it anew on another one. */
async function keepLeading(context: Context): Promise<void> {
  const { log, stopping } = context;
  while (!stopping.aborted) {
    const lost = new AbortController();
    const client = new pg.Client({
      connectionString: context.databaseUrl,
      application_name: `${context.service}-relay`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      options: SESSION,
      keepAlive: true,
      pipeline: true,
    });
    client.on('notification', context.pause.wake);
    client.on('error', (err) => {
      log.warn('relay lost its database connection', { err });
      lost.abort();
    });
    client.on('end', () => {
      lost.abort();
    });
    try {
      await client.connect();
      const ended = AbortSignal.any([stopping, lost.signal]);
      await waitToLead(context, client, ended);
      await lead(context, client, ended);
    } catch (err) {
      log.warn('relay failed, it starts again', { err });
    }
    await Promise.race([client.end().catch(() => undefined), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await sleep(RETRY_MS, stopping);
  }
}

/** Listens and waits for the lock. @throws Error of the database. */
async function waitToLead({ log, service }: Context, client: pg.Client, ended: AbortSignal): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(SCHEMA);
  await client.query(`listen ${pg.escapeIdentifier(`${OUTBOX_CHANNEL}.${rows[0]?.schema ?? service}`)}`);
  while (!ended.aborted) {
    const answer = await client.query<{ leads: boolean }>(LOCK, [`relay.${service}`]);
    if (answer.rows[0]?.leads === true) {
      log.info('relay leads');
      return;
    }
    await sleep(RETRY_MS, ended);
  }
}

/** Publishes while the lock holds; returns when `ended`. @throws Error of the database. */
async function lead({ log, pause, publisher }: Context, client: pg.Client, ended: AbortSignal): Promise<void> {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let batch: readonly OutboxRow[] | undefined;
  while (!ended.aborted) {
    if (performance.now() - measuredAt >= POLL_MS) {
      await measure(client);
      measuredAt = performance.now();
    }
    batch = publisher.isOpen() ? (batch ?? (await nextBatch(client))) : [];
    if (batch.length === 0) {
      batch = undefined;
      await pause.wait(POLL_MS, ended);
      continue;
    }
    const { taken, problem } = await publisher.publish(batch);
    const published = batch.slice(0, taken);
    // What comes next costs no round trip of its own.
    [, batch] = await sendWhole<OutboxRow>(client, [forget(published), NEXT_BATCH]);
    publisher.forget(published);
    if (problem !== undefined) {
      log.warn('outbox batch not published, it stays', { err: problem, published: taken });
      batch = undefined;
      await sleep(RETRY_MS, ended);
    }
  }
}

/** What waits, for whoever watches: a count that would cost more than the batch if it were made with each. */
async function measure(client: pg.Client): Promise<void> {
  const waiting = await client.query<{ pending: number; oldest: number }>(WAITING);
  const { pending, oldest } = waiting.rows[0] ?? { pending: 0, oldest: 0 };
  outboxPending.set(pending);
  outboxOldest.set(oldest);
}

type OutboxRow = OutgoingMessage & { readonly position: string };

async function nextBatch(client: pg.Client): Promise<readonly OutboxRow[]> {
  const [rows = []] = await sendWhole<OutboxRow>(client, [NEXT_BATCH]);
  return rows;
}

/** Deletes what the broker took: up to the first message that it did not take. */
function forget(published: readonly OutboxRow[]): Statement {
  return { name: 'forget', text: FORGET, values: [`{${published.map(({ position }) => position).join(',')}}`] };
}

/** Waits; an abort ends the wait, quietly. */
async function sleep(ms: number, ended: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: ended }).catch(() => undefined);
}
