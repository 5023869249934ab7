import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConfirmChannel } from 'amqplib';
import type pg from 'pg';
import { connectBroker, type BrokerConnection } from '../broker/connection.ts';
import { PublishError, publishInOrder, type OutgoingMessage, type Published } from '../broker/publish.ts';
import type { SigningKeys } from '../broker/fact-signature.ts';
import { keepTopology } from '../broker/keep-topology.ts';
import { declareProducer, type FactRoutes } from '../broker/topology.ts';
import { sendWhole } from '../postgres/fast/send-whole.ts';
import { statementName } from '../postgres/fast/statement-name.ts';
import { keepListening } from '../postgres/listen.ts';
import type { Log } from '../logging/logger.ts';
import { outboxBatchDuration, outboxOldest, outboxPending, topologyComplete } from '../telemetry/metrics.ts';
import { createPause, type Pause } from '../time/pause.ts';
import { keepLease, movePublishedWhileHeld, LEAVE_LEASE, TAKE_LEASE } from './lease.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';

type Options = {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly service: string;
  readonly facts: FactRoutes;
  readonly keys: SigningKeys;
  readonly log: Log;
};

export type Relay = {
  readonly isConnected: boolean;
  /**
   * Why facts are not being published, as sentences; none if all is well. Every replica reports this, whether or not it
   * leads.
   */
  problems(): readonly string[];
  stop(): Promise<void>;
};

/** Rows read, published and deleted per batch: large enough to pipeline confirms, small enough to repeat cheaply. */
const BATCH = 500;
/** The fallback for a lost notification. */
const POLL_MS = 1_000;
/** How often a replica that does not lead asks for the lease, and how long the leader waits after its first failure. */
const RETRY_MS = 1_000;
/** The wait doubles with each consecutive failure, but stays below the lease: the leader stays the leader. */
const RETRY_MS_MAX = 5_000;
/** A channel that has not confirmed in this many tries (ten seconds each) is closed: what was on it is sent again. */
const LATE_TRIES_MAX = 6;
/** A leader renews its lease, and the others ask for it, every second. This is longer than a takeover needs. */
const LEADERLESS_MS = 20_000;
/** Facts that wait longer than this are stuck. */
const STALE_SECONDS = 60;
const STATEMENT_TIMEOUT_MS = 10_000;
/** For a server that does not answer at all: longer than its own limit, so that its answer wins if there is one. */
const QUERY_TIMEOUT_MS = 12_000;
/**
 * PostgreSQL ends a session that is frozen (30 s without a statement; a leader sends one every second) or whose machine
 * is gone (20 s without an answer). The relay only moves what was published, and does not wait for the disk: what a
 * crash undoes is published again, and inboxes recognise it. It reads by index only: statistics say that an outbox is
 * empty, and a plan for an empty table would scan everything deleted since the last vacuum, for every batch.
 */
const SESSION = [
  '-c synchronous_commit=off -c idle_session_timeout=30000',
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  '-c enable_seqscan=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan -c jit=off',
].join(' ');

const SCHEMA = 'select current_schema() as schema';
const NEXT_BATCH_TEXT = `select position, message_id as "messageId", type, aggregate_id as "aggregateId", payload,
  request_id as "requestId", traceparent, occurred_at as "occurredAt" from outbox order by position limit ${String(BATCH)}`;
const NEXT_BATCH = { name: statementName(NEXT_BATCH_TEXT), values: [], text: NEXT_BATCH_TEXT };
const WAITING = `select count(*)::int as pending, coalesce(extract(epoch from clock_now() - min(occurred_at)), 0)::float as oldest
  from (select occurred_at from outbox order by position limit 10000) as waiting`;
const MEASURE = { name: statementName(WAITING), values: [], text: WAITING };

/**
 * Publishes a service's outbox in order, after commit. One replica leads (`lease.ts`): two relays would publish one
 * payment's messages out of order. Rows move to `published` after the broker has confirmed them; after a crash in
 * between they are published again, hence the inboxes.
 */
export async function startRelay(options: Options): Promise<Relay> {
  const stop = new AbortController();
  const pause = createPause();
  const publisher = await connectPublisher(options, pause, stop.signal);
  const seen: Seen = { leaderAt: performance.now(), oldest: 0, problem: undefined, faults: 0 };
  const running = keepLeading({ ...options, holder: randomUUID(), seen, publisher, pause, stopping: stop.signal });
  return {
    get isConnected() {
      return publisher.broker.isConnected;
    },
    problems: () => problemsOf(seen, publisher),
    async stop() {
      stop.abort();
      await running;
      await publisher.broker.close();
    },
  };
}

type Publisher = {
  readonly broker: BrokerConnection;
  /** Whether there is a channel to publish on. If not, the connection's own log says why. */
  readonly isOpen: () => boolean;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<Published>;
  /** Says that these are no longer in the outbox. */
  readonly forget: (messages: readonly OutgoingMessage[]) => void;
};

async function connectPublisher(options: Options, pause: Pause, stopping: AbortSignal): Promise<Publisher> {
  const { log, service, facts, keys } = options;
  let channel: ConfirmChannel | undefined;
  let lateTries = 0;
  // Until the broker is reached for the first time.
  topologyComplete.set({ part: 'relay' }, 0);
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
      lateTries = 0;
      pause.wake();
      await keepTopology({ model, part: 'relay', log, declare: (other) => declareProducer(other, service) });
    },
  });
  const safe = new Map<string, Set<string>>();
  const publish = async (messages: readonly OutgoingMessage[]): Promise<Published> => {
    if (channel === undefined) return { taken: 0, problem: new PublishError('the broker is unavailable') };
    // What is written to a blocked connection piles up in this process.
    if (broker.isBlocked) return { taken: 0, problem: new PublishError('the broker has blocked publishers') };
    // Entries of a batch that another replica has deleted, or that this one could not delete.
    const batch = new Set(messages.map(({ messageId }) => messageId));
    for (const messageId of safe.keys()) if (!batch.has(messageId)) safe.delete(messageId);
    const published = await publishInOrder(channel, messages, { producer: service, facts, keys, safe });
    lateTries = published.problem?.isLate === true ? lateTries + 1 : 0;
    if (lateTries === LATE_TRIES_MAX) channel.close().catch(() => undefined);
    return published;
  };
  const forgotten = (messages: readonly OutgoingMessage[]) => {
    for (const { messageId } of messages) safe.delete(messageId);
  };
  return { broker, isOpen: () => channel !== undefined, publish, forget: forgotten };
}

/**
 * This replica's latest view of its service's outbox; `faults`: consecutive batches that could not be published or
 * deleted.
 */
type Seen = { leaderAt: number; oldest: number; problem: PublishError | undefined; faults: number };

function problemsOf({ leaderAt, oldest, problem }: Seen, publisher: Publisher): readonly string[] {
  return [
    ...(publisher.isOpen() ? [] : ['relay: the broker is unavailable']),
    ...(performance.now() - leaderAt < LEADERLESS_MS ? [] : ['relay: nobody is known to lead']),
    ...(problem === undefined ? [] : [`relay: ${problem.message}`]),
    ...(oldest < STALE_SECONDS ? [] : [`outbox: the oldest fact has waited ${String(Math.round(oldest))} s`]),
  ];
}

type Context = Options & {
  readonly holder: string;
  readonly seen: Seen;
  readonly publisher: Publisher;
  readonly pause: Pause;
  readonly stopping: AbortSignal;
};

/** Leads, or waits to lead, until stopped. If the database connection breaks, it starts again on another one. */
function keepLeading(context: Context): Promise<void> {
  const { log, pause, service, stopping } = context;
  return keepListening({
    client: {
      connectionString: context.databaseUrl,
      application_name: `${service}-relay`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      options: SESSION,
      pipeline: true,
    },
    channel: async (client) => {
      const { rows } = await client.query<{ schema: string }>(SCHEMA);
      return `${OUTBOX_CHANNEL}.${rows[0]?.schema ?? service}`;
    },
    onNotification: pause.wake,
    whileListening: async (client, ended) => {
      while (!ended.aborted) await lead(context, client, await waitToLead(context, client, ended), ended);
    },
    retryMs: () => retryMs(context.seen),
    log,
    stopping,
  });
}

/** Waits for the lease and returns its fence, or anything once `ended`. @throws Error of the database. */
async function waitToLead({ log, holder, seen }: Context, client: pg.Client, ended: AbortSignal): Promise<string> {
  while (!ended.aborted) {
    const { rows } = await client.query<{ fence: string }>(TAKE_LEASE, [holder]);
    const fence = rows[0]?.fence;
    // Taken by us, or refused because somebody else has it.
    seen.leaderAt = performance.now();
    if (fence !== undefined) {
      log.info('relay leads', { fence });
      return fence;
    }
    await sleep(RETRY_MS, ended);
    seen.problem = undefined;
    const [measured] = await sendWhole<Waiting>(client, [MEASURE]);
    seen.oldest = report(measured);
  }
  return '0';
}

/**
 * Publishes while it holds the lease; returns when somebody else has it, or when `ended`. @throws Error of the
 * database.
 */
async function lead(context: Context, client: pg.Client, fence: string, ended: AbortSignal): Promise<void> {
  const { log, pause, publisher, seen } = context;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let batch: readonly OutboxRow[] | undefined;
  while (!ended.aborted) {
    if (performance.now() - measuredAt >= POLL_MS) {
      const [held, measured] = await sendWhole<Waiting>(client, [keepLease(fence), MEASURE]);
      if (held?.length !== 1) {
        stepDown(log, fence);
        return;
      }
      seen.leaderAt = performance.now();
      seen.oldest = report(measured);
      measuredAt = performance.now();
    }
    batch = publisher.isOpen() ? (batch ?? (await nextBatch(client))) : [];
    if (batch.length === 0) {
      batch = undefined;
      await pause.wait(POLL_MS, ended);
      continue;
    }
    const batchEnded = outboxBatchDuration.startTimer();
    const { taken, problem } = await keepingLease(client, fence, publisher.publish(batch));
    batchEnded({ result: problem === undefined ? 'done' : 'failed' });
    seen.problem = problem;
    const published = batch.slice(0, taken);
    const positions = published.map(({ position }) => position);
    seen.faults += 1;
    // Reading the next batch costs no extra round trip.
    const [held, next] = await sendWhole<OutboxRow>(client, [movePublishedWhileHeld(positions, fence), NEXT_BATCH]);
    if (held?.length !== 1) {
      stepDown(log, fence);
      return;
    }
    batch = next;
    publisher.forget(published);
    if (problem === undefined) {
      seen.faults = 0;
      continue;
    }
    log.warn('outbox batch not published, will retry', { err: problem, published: taken });
    batch = undefined;
    await sleep(retryMs(seen), ended);
  }
  // The next leader need not wait for the lease to expire. A broken session cannot release it.
  await client.query(LEAVE_LEASE, [fence]).catch(() => undefined);
}

/** The pause after this many consecutive failures. */
const retryMs = ({ faults }: Seen): number => Math.min(RETRY_MS * 2 ** Math.max(0, faults - 1), RETRY_MS_MAX);

/** Waits for a publication and renews the lease meanwhile: a broker may take longer to confirm than a lease lasts. */
async function keepingLease<T>(client: pg.Client, fence: string, publishing: Promise<T>): Promise<T> {
  const done = publishing.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([done, wait(POLL_MS, false, { ref: false })]))) {
    // The statement that moves the published rows checks whether it is still held.
    await sendWhole(client, [keepLease(fence)]).catch(() => undefined);
  }
  return publishing;
}

function stepDown(log: Log, fence: string): void {
  log.warn('relay no longer leads: its lease expired and another replica took it', { fence });
}

type Waiting = { readonly pending: number; readonly oldest: number };

/** Reports the backlog that was measured; with every batch, measuring would cost more than the batch. */
function report(measured: readonly Waiting[] = []): number {
  const { pending, oldest } = measured[0] ?? { pending: 0, oldest: 0 };
  outboxPending.set(pending);
  outboxOldest.set(oldest);
  return oldest;
}

type OutboxRow = OutgoingMessage & { readonly position: string };

async function nextBatch(client: pg.Client): Promise<readonly OutboxRow[]> {
  const [rows = []] = await sendWhole<OutboxRow>(client, [NEXT_BATCH]);
  return rows;
}

/** Waits; an abort ends the wait without an error. */
async function sleep(ms: number, ended: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: ended }).catch(() => undefined);
}
