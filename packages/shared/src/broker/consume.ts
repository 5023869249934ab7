import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import { isUnavailable } from '../database/database.ts';
import type { Log } from '../logging/logger.ts';
import { withRequestContext } from '../logging/request-context.ts';
import { messagesConsumed } from '../telemetry/metrics.ts';
import { inSpan } from '../telemetry/tracing.ts';
import { connectBroker, type BrokerConnection } from './connection.ts';
import { declareQueue, queueOf } from './topology.ts';

/** A message as a consumer sees it. `body` is what the producer wrote: parse it with its schema. */
export type IncomingMessage = {
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: string;
  readonly body: unknown;
};

/** Handles one message: its effect and its inbox row in one transaction (`receiveOnce`). Throws to have it again. */
export type Handle = (message: IncomingMessage) => Promise<void>;

type Options = {
  readonly url: string;
  readonly service: string;
  /** By routing key. What is listed here is what the queue is bound to. */
  readonly handlers: Readonly<Record<string, Handle>>;
  readonly log: Log;
};

/** In flight at once; enough to keep ten connections busy, few enough to hand back quickly at a stop. */
const PREFETCH = 50;
/** While the database is away a message is held, not counted as failed: an outage must not fill the dead letters. */
const DATABASE_WAIT_MS = 1_000;
/** Pause before a failed message goes back: 0.5 s, 1 s, … at most 30 s, so that twenty deliveries take some minutes. */
const pauseMs = (deliveries: number): number => Math.min(30_000, 500 * 2 ** Math.min(deliveries, 6));

export type Consumer = BrokerConnection & {
  /** Takes no new messages and waits for those in flight. */
  drain(): Promise<void>;
};

/** Consumes the service's queue until closed. At least once on the wire; a poison message ends in the dead letters. */
export async function startConsumer(options: Options): Promise<Consumer> {
  const { service, handlers, log } = options;
  const inFlight = new Set<Promise<void>>();
  const stop = new AbortController();
  let cancel: () => Promise<void> = () => Promise.resolve();

  const connection = await connectBroker({
    url: options.url,
    name: `${service}-consumer`,
    log,
    setup: async (model) => {
      const channel = await model.createChannel();
      // A channel that broke takes the connection with it: recovery then sets up everything again.
      channel.on('error', (err: Error) => {
        log.error('consumer channel failed', { err });
      });
      channel.on('close', () => {
        if (!stop.signal.aborted) model.close().catch(() => undefined);
      });
      await declareQueue(channel, service, Object.keys(handlers));
      await channel.prefetch(PREFETCH);
      const { consumerTag } = await channel.consume(queueOf(service), (delivery) => {
        if (delivery === null) {
          log.warn('the broker cancelled the consumer');
          channel.close().catch(() => undefined);
          return;
        }
        const work = handleDelivery(channel, delivery).finally(() => inFlight.delete(work));
        inFlight.add(work);
      });
      cancel = async () => {
        await channel.cancel(consumerTag).catch(() => undefined);
      };
    },
  });

  async function handleDelivery(channel: Channel, delivery: ConsumeMessage): Promise<void> {
    const message = readDelivery(delivery);
    const header = delivery.properties.headers ?? {};
    const requestId = typeof header['requestId'] === 'string' ? header['requestId'] : randomUUID();
    const traceparent = typeof header['traceparent'] === 'string' ? header['traceparent'] : undefined;
    await withRequestContext({ requestId }, async () => {
      try {
        await inSpan({ name: `consume ${message.type}`, traceparent }, () => handleWhenDatabaseAnswers(message));
        messagesConsumed.inc({ type: message.type, result: 'done' });
        settle(() => {
          channel.ack(delivery);
        });
      } catch (err) {
        const deliveries = Number(header['x-delivery-count'] ?? 0);
        messagesConsumed.inc({ type: message.type, result: 'failed' });
        log.error('message failed', { err, messageId: message.messageId, type: message.type, deliveries });
        await wait(pauseMs(deliveries), undefined, { signal: stop.signal }).catch(() => undefined);
        settle(() => {
          channel.nack(delivery, false, true);
        });
      }
    });
  }

  async function handleWhenDatabaseAnswers(message: IncomingMessage): Promise<void> {
    const handle = handlers[message.type];
    if (handle === undefined) throw new Error(`no handler for ${message.type}`);
    for (;;) {
      try {
        await handle(message);
        return;
      } catch (error) {
        if (!isUnavailable(error) || stop.signal.aborted) throw error;
        log.warn('the database is away, the message waits', { messageId: message.messageId, err: error });
        await wait(DATABASE_WAIT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }

  return {
    get isConnected() {
      return connection.isConnected;
    },
    async drain() {
      stop.abort();
      await cancel();
      await Promise.allSettled(inFlight);
    },
    close: () => connection.close(),
  };
}

/** An ack on a channel that closed meanwhile is lost; the broker delivers again and the inbox drops the repeat. */
function settle(acknowledge: () => void): void {
  try {
    acknowledge();
  } catch {
    // The channel is gone: nothing to acknowledge on.
  }
}

function readDelivery(delivery: ConsumeMessage): IncomingMessage {
  const { messageId, type, headers } = delivery.properties;
  let body: unknown;
  try {
    body = JSON.parse(delivery.content.toString('utf8'));
  } catch {
    body = undefined; // The handler's schema refuses it, and it ends in the dead letters.
  }
  return {
    messageId: String(messageId),
    type: typeof type === 'string' ? type : delivery.fields.routingKey,
    aggregateId: String(headers?.['aggregateId'] ?? ''),
    occurredAt: String(headers?.['occurredAt'] ?? ''),
    body,
  };
}
