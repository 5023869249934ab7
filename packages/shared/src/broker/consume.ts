import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { Log } from '../logging/logger.ts';
import { withRequestContext } from '../logging/request-context.ts';
import { messageDuration, messagesConsumed, messagesRefused, topologyComplete } from '../telemetry/metrics.ts';
import { inSpan } from '../telemetry/tracing.ts';
import { connectBroker, type BrokerConnection } from './connection.ts';
import type { VerifyFact } from './fact-signature.ts';
import { createDelivered, type Delivered } from './delivered.ts';
import { createHandlePatiently, DATABASE_WAIT_MS, sleep, type HandlePatiently } from './handle-patiently.ts';
import { keepTopology, type KeptTopology } from './keep-topology.ts';
import { createPauses, type Pauses } from './pauses.ts';
import { bindConsumer, deadQueueOf, declareConsumer, queueOf, typesConsumedBy, type FactRoutes } from './topology.ts';

/** A message as a consumer sees it. `body` is what the producer wrote: parse it with the type's schema. */
export type IncomingMessage = {
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: string;
  readonly body: unknown;
};

/** A dead-lettered message, with its original bytes. */
export type DeadMessage = Omit<IncomingMessage, 'body'> & {
  readonly body: Buffer;
  readonly requestId: string | undefined;
  readonly signature: string | undefined;
  /** Why verification failed; undefined if its handler failed. */
  readonly refusal: string | undefined;
};

/**
 * Handles one message: its effect and its inbox row in one transaction (`receiveOnce`). Throws to have it redelivered.
 */
export type Handle = (message: IncomingMessage) => Promise<void>;

type Options = {
  readonly url: string;
  readonly service: string;
  readonly facts: FactRoutes;
  /** By type: one for each that `facts` assigns to this service. */
  readonly handlers: Readonly<Record<string, Handle>>;
  /** Messages that fail verification are dead-lettered at once. */
  readonly verify: VerifyFact;
  readonly log: Log;
  /** Pause before a failed message is requeued, by the number of earlier deliveries. */
  readonly pauseMs?: (deliveries: number) => number;
  /** Stores dead-lettered messages; without it they stay in the dead-deadMessage queue. */
  readonly keepDead?: (message: DeadMessage) => Promise<void>;
};

/**
 * Maximum unacknowledged messages, besides those that pause: enough to keep ten connections busy, few enough to requeue quickly at
 * shutdown.
 */
const PREFETCH = 50;
/** If so many pause already, one more that failed is put back after this time: it holds the place of others. */
const NO_ROOM_MS = 1_000;
/**
 * Pause before a failed message is requeued: 0.5 s, 1 s, … at most 30 s, so that twenty deliveries take some minutes.
 */
const pauseAfter = (deliveries: number): number => Math.min(30_000, 500 * 2 ** Math.min(deliveries, 6));

export type Consumer = BrokerConnection & {
  /** Its queue exists, with all its bindings. */
  readonly isBound: boolean;
  /** How many times it subscribed: once per connection. Nobody knows what the queue lost in between. */
  readonly subscriptions: number;
  /**
   * What was published before (milliseconds since 1970) has been delivered, as far as recent first deliveries here show; undefined if
   * there were none.
   */
  deliveredUpToMs(): number | undefined;
  /** Messages waiting in the queue, not counting those being handled. @throws Error while the broker is down */
  waiting(): Promise<number>;
  /** Stops taking messages and waits for those in progress. */
  drain(): Promise<void>;
};

/** The state of one consumer. */
type Work = Options & {
  readonly inFlight: Set<Promise<void>>;
  readonly stop: AbortController;
  /** For the connection's channel; a new one is made at each reconnect. */
  cancel: () => Promise<void>;
  closeChannel: () => Promise<void>;
  waiting: () => Promise<number>;
  subscriptions: number;
  topology: KeptTopology;
  readonly pauses: Pauses;
  readonly delivered: Delivered;
  readonly handlePatiently: HandlePatiently;
};

/**
 * Consumes the service's queue until closed. Delivery is at least once; a poison message ends in the dead letters.
 * @throws Error if the handlers do not match the declaration: a bug
 */
export async function startConsumer(options: Options): Promise<Consumer> {
  const declared = typesConsumedBy(options.facts, options.service).join(', ');
  const handled = Object.keys(options.handlers).sort().join(', ');
  if (declared !== handled) throw new Error(`${options.service} must handle ${declared}; it handles ${handled}`);
  const [stop, pauses] = [new AbortController(), createPauses()];
  const { log, pauseMs = pauseAfter } = options;
  const work: Work = {
    ...options,
    inFlight: new Set(),
    stop,
    cancel: () => Promise.resolve(),
    closeChannel: () => Promise.resolve(),
    waiting: () => Promise.reject(new Error('the broker is unavailable')),
    subscriptions: 0,
    topology: { isComplete: false },
    pauses,
    delivered: createDelivered(),
    handlePatiently: createHandlePatiently({ log, stop: stop.signal, pauses, pauseMs }),
  };
  // Until the broker is reached for the first time.
  topologyComplete.set({ part: 'consumer' }, 0);
  const connection = await connectBroker({
    url: options.url,
    name: `${options.service}-consumer`,
    log: options.log,
    setup: (model) => subscribe(work, model),
  });
  return {
    get isConnected() {
      return connection.isConnected;
    },
    get isBlocked() {
      return connection.isBlocked;
    },
    get isBound() {
      return connection.isConnected && work.topology.isComplete;
    },
    get subscriptions() {
      return work.subscriptions;
    },
    deliveredUpToMs: () => work.delivered.upToMs(),
    waiting: () => work.waiting(),
    async drain() {
      work.stop.abort();
      await work.cancel();
      await Promise.allSettled(work.inFlight);
      // Closing the connection may overtake the channel's acks; closing the channel first cannot.
      await work.closeChannel();
    },
    close: () => connection.close(),
  };
}

async function subscribe(work: Work, model: ChannelModel): Promise<void> {
  const { service, facts, log, inFlight, stop } = work;
  if (stop.signal.aborted) return;
  const channel = await model.createChannel();
  // A channel that broke closes the connection as well: recovery then sets everything up again.
  channel.on('error', (err: Error) => {
    log.error('consumer channel failed', { err });
  });
  channel.on('close', () => {
    if (!stop.signal.aborted) model.close().catch(() => undefined);
  });
  await declareConsumer(channel, service);
  const take = async (places: number): Promise<string> => {
    await channel.prefetch(places);
    const { consumerTag } = await channel.consume(queueOf(service), (delivery) => {
      if (delivery === null) {
        log.warn('the broker cancelled the consumer');
        channel.close().catch(() => undefined);
        return;
      }
      const handled = handleDelivery(work, channel, delivery).finally(() => inFlight.delete(handled));
      inFlight.add(handled);
    });
    return consumerTag;
  };
  const consumerTag = await take(PREFETCH);
  const deadTag = await consumeDead(work, channel);
  const cancel = async (tag: string): Promise<void> => {
    await channel.cancel(tag);
  };
  const stopPauses = work.pauses.serve({ take, cancel });
  work.cancel = async () => {
    await stopPauses();
    for (const tag of [consumerTag, ...deadTag]) await cancel(tag).catch(() => undefined);
  };
  work.closeChannel = () => channel.close().catch(() => undefined);
  work.waiting = async () => (await channel.checkQueue(queueOf(service))).messageCount;
  work.subscriptions += 1;
  work.topology = await keepTopology({
    model,
    part: 'consumer',
    log,
    declare: async (other) => {
      await declareConsumer(other, service);
      await bindConsumer(other, service, facts);
    },
  });
}

/** Consumes dead-lettered messages. Returns its consumer tag; none if nobody stores them. */
async function consumeDead(work: Work, channel: Channel): Promise<string[]> {
  const { service, keepDead, inFlight } = work;
  if (keepDead === undefined) return [];
  const { consumerTag } = await channel.consume(deadQueueOf(service), (delivery) => {
    if (delivery === null) {
      channel.close().catch(() => undefined);
      return;
    }
    const kept = keepDelivery(work, channel, delivery, keepDead).finally(() => inFlight.delete(kept));
    inFlight.add(kept);
  });
  return [consumerTag];
}

/** Never requeued: this queue drops what is redelivered too often, so a message waits here until it is stored. */
async function keepDelivery(
  { log, stop, verify }: Work,
  channel: Channel,
  delivery: ConsumeMessage,
  keepDead: NonNullable<Options['keepDead']>,
): Promise<void> {
  const { body: _parsed, ...message } = readDelivery(delivery);
  const requestId = textOf(headersOf(delivery)['requestId']);
  const signature = textOf(headersOf(delivery)['signature']);
  const dead = { ...message, type: typeOfDead(delivery), body: delivery.content, requestId, signature };
  const deadMessage = { ...dead, refusal: verify(dead, signature) };
  while (!stop.signal.aborted) {
    try {
      await keepDead(deadMessage);
      log.error('message moved to the dead letters', {
        messageId: deadMessage.messageId,
        type: deadMessage.type,
        requestId,
        refusal: deadMessage.refusal,
      });
      settle(() => {
        channel.ack(delivery);
      });
      return;
    } catch (err) {
      log.warn('dead deadMessage not stored yet, will retry', { err, messageId: message.messageId });
      await sleep(DATABASE_WAIT_MS, stop.signal);
    }
  }
}

/** If the sender set no type, the original routing key; its current one is the queue that it comes from. */
function typeOfDead(delivery: ConsumeMessage): string {
  const type: unknown = delivery.properties.type;
  if (typeof type === 'string') return type;
  const [death]: readonly { readonly 'routing-keys'?: readonly string[] }[] = delivery.properties.headers?.['x-death'] ?? [];
  return textOf(death?.['routing-keys']?.[0]) ?? '';
}

async function handleDelivery(work: Work, channel: Channel, delivery: ConsumeMessage): Promise<void> {
  const { log, stop } = work;
  const message = readDelivery(delivery);
  const headers = headersOf(delivery);
  if (!delivery.fields.redelivered) work.delivered.note(message.messageId);
  const requestId = textOf(headers['requestId']) ?? randomUUID();
  const refusal = work.verify({ ...message, body: delivery.content }, textOf(headers['signature']));
  if (refusal !== undefined) {
    messagesRefused.inc();
    log.error('message refused', { refusal, messageId: message.messageId, type: message.type, requestId });
    settle(() => {
      channel.nack(delivery, false, false);
    });
    return;
  }
  const span = {
    name: `consume ${message.type}`,
    kind: 'consumer',
    traceparent: textOf(headers['traceparent']) ?? null,
  } as const;
  await withRequestContext({ requestId }, async () => {
    try {
      const startedAt = performance.now();
      await inSpan(span, ({ traceId }) =>
        work
          .handlePatiently(message.messageId, async () => handlerOf(work, message)(message))
          .finally(() => {
            messageDuration.observe({ type: message.type }, (performance.now() - startedAt) / 1_000, traceId);
          }),
      );
      messagesConsumed.inc({ type: message.type, result: 'done' });
      settle(() => {
        channel.ack(delivery);
      });
    } catch (err) {
      const deliveries = Number(headers['x-delivery-count'] ?? 0);
      messagesConsumed.inc({ type: message.type, result: 'failed' });
      log.error('message failed', { err, messageId: message.messageId, type: message.type, deliveries });
      const pauseMs = (work.pauseMs ?? pauseAfter)(deliveries);
      const leave = work.pauses.enter();
      await sleep(leave === undefined ? Math.min(pauseMs, NO_ROOM_MS) : pauseMs, stop.signal);
      leave?.();
      settle(() => {
        channel.nack(delivery, false, true);
      });
    }
  });
}

function handlerOf({ handlers }: Work, { type }: IncomingMessage): Handle {
  const handle = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  if (handle === undefined) throw new Error('no handler for this type of message');
  return handle;
}

/** An ack on a channel that has closed is lost; the broker redelivers, and the inbox drops the repeat. */
function settle(acknowledge: () => void): void {
  try {
    acknowledge();
  } catch {
    // The channel is gone: nothing to acknowledge on.
  }
}

function readDelivery(delivery: ConsumeMessage): IncomingMessage {
  const properties: { messageId?: unknown; type?: unknown } = delivery.properties;
  const headers = headersOf(delivery);
  let body: unknown;
  try {
    body = JSON.parse(delivery.content.toString('utf8'));
  } catch {
    body = undefined; // The handler's schema refuses it, and it ends in the dead letters.
  }
  return {
    messageId: textOf(properties.messageId) ?? '',
    type: textOf(properties.type) ?? delivery.fields.routingKey,
    aggregateId: textOf(headers['aggregateId']) ?? '',
    occurredAt: textOf(headers['occurredAt']) ?? '',
    body,
  };
}

function headersOf(delivery: ConsumeMessage): Readonly<Record<string, unknown>> {
  return delivery.properties.headers ?? {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
