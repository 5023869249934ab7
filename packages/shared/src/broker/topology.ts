import type { Channel } from 'amqplib';

/** The one exchange of facts: topic, durable; the routing key is the message's type. */
export const EVENTS_EXCHANGE = 'events';
/** Where messages go that a service could not handle; the routing key is the queue they come from. */
export const DEAD_EXCHANGE = 'events.dead';

/** Deliveries of one message before it is put aside. Failed ones are spread over minutes (`consume.ts`). */
const DELIVERY_LIMIT = 20;
/** A bound for every queue: past it the broker refuses and the outbox keeps the rows. */
const MAX_LENGTH = 1_000_000;

export const queueOf = (service: string): string => `${service}.events`;
export const deadQueueOf = (service: string): string => `${service}.events.dead`;

/** Declares both exchanges. */
export async function declareExchanges(channel: Channel): Promise<void> {
  await channel.assertExchange(EVENTS_EXCHANGE, 'topic', { durable: true });
  await channel.assertExchange(DEAD_EXCHANGE, 'direct', { durable: true });
}

/** Declares a service's queue, its dead-letter queue, and what it listens to. Safe to repeat. */
export async function declareQueue(channel: Channel, service: string, types: readonly string[]): Promise<void> {
  await declareExchanges(channel);
  const dead = deadQueueOf(service);
  await channel.assertQueue(dead, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-max-length': MAX_LENGTH, 'x-overflow': 'reject-publish' },
  });
  await channel.bindQueue(dead, DEAD_EXCHANGE, queueOf(service));
  await channel.assertQueue(queueOf(service), {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-dead-letter-exchange': DEAD_EXCHANGE,
      'x-dead-letter-routing-key': queueOf(service),
      // Without these two a message is lost when its dead-letter queue is away at the wrong moment.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
      'x-max-length': MAX_LENGTH,
    },
  });
  for (const type of types) await channel.bindQueue(queueOf(service), EVENTS_EXCHANGE, type);
}
