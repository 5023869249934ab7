import type { Channel } from 'amqplib';

/** Which service publishes a fact, and which ones must receive it. */
export type FactRoute = { readonly owner: string; readonly consumers: readonly string[] };

/** All types of facts: the one declaration that exchanges, queues, bindings and rights are derived from. */
export type FactRoutes = Readonly<Record<string, FactRoute>>;

/** Deliveries of one message before it is dead-lettered. Failed ones are spread over minutes (`consume.ts`). */
const DELIVERY_LIMIT = 20;
/** Limit of every queue: beyond it the broker rejects and the outbox keeps the rows. */
const MAX_LENGTH = 1_000_000;

/** A producer's own topic exchange: nobody else writes to it. See decisions/outbox-and-relay. */
export const exchangeOf = (producer: string): string => `${producer}.facts`;
/** A consumer's own queue. */
export const queueOf = (consumer: string): string => `${consumer}.inbox`;
/** Where messages go that a consumer could not handle: the name of both an exchange and its only queue. */
export const deadQueueOf = (consumer: string): string => `${consumer}.dead`;
/**
 * One copy per consumer, so that the broker's answer to `mandatory` is about that consumer alone. See
 * decisions/outbox-and-relay.
 */
export const routingKeyOf = (consumer: string, type: string): string => `${consumer}.${type}`;

/** The types that a service consumes, sorted. */
export function typesConsumedBy(facts: FactRoutes, consumer: string): string[] {
  return Object.keys(facts)
    .filter((type) => routeOf(facts, type)?.consumers.includes(consumer) === true)
    .sort();
}

/** Undefined for an undeclared type. */
export function routeOf(facts: FactRoutes, type: string): FactRoute | undefined {
  return Object.hasOwn(facts, type) ? facts[type] : undefined;
}

/** All services that publish or consume facts, sorted. */
export function servicesOf(facts: FactRoutes): string[] {
  const all = Object.values(facts).flatMap(({ owner, consumers }) => [owner, ...consumers]);
  return [...new Set(all)].sort();
}

/** The arguments of a service's queue. */
export function queueArguments(consumer: string) {
  return {
    'x-queue-type': 'quorum',
    'x-delivery-limit': DELIVERY_LIMIT,
    'x-dead-letter-exchange': deadQueueOf(consumer),
    'x-dead-letter-routing-key': queueOf(consumer),
    // Without these two, a message is lost if its dead-letter queue is unavailable at the wrong moment.
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
    'x-max-length': MAX_LENGTH,
  };
}

export const DEAD_QUEUE_ARGUMENTS = {
  'x-queue-type': 'quorum',
  'x-max-length': MAX_LENGTH,
  'x-overflow': 'reject-publish',
};

/** Declares a producer's exchange. Safe to repeat. */
export async function declareProducer(channel: Channel, producer: string): Promise<void> {
  await channel.assertExchange(exchangeOf(producer), 'topic', { durable: true });
}

/** Declares a consumer's queue and its dead-letter queue. Safe to repeat. */
export async function declareConsumer(channel: Channel, consumer: string): Promise<void> {
  const dead = deadQueueOf(consumer);
  await channel.assertExchange(dead, 'direct', { durable: true });
  await channel.assertQueue(dead, { durable: true, arguments: DEAD_QUEUE_ARGUMENTS });
  await channel.bindQueue(dead, dead, queueOf(consumer));
  await channel.assertQueue(queueOf(consumer), { durable: true, arguments: queueArguments(consumer) });
}

/**
 * Binds a consumer's queue to everything it must receive. Safe to repeat. Rejects, and the broker closes the channel,
 * while a producer's exchange is missing: only the producer may create it.
 */
export async function bindConsumer(channel: Channel, consumer: string, facts: FactRoutes): Promise<void> {
  for (const { owner, key } of bindingsOf(facts, consumer)) {
    await channel.bindQueue(queueOf(consumer), exchangeOf(owner), key);
  }
}

/** The bindings of a consumer's queue: the owner's exchange, by routing key. */
export function bindingsOf(facts: FactRoutes, consumer: string): { readonly owner: string; readonly key: string }[] {
  return typesConsumedBy(facts, consumer).flatMap((type) => {
    const route = routeOf(facts, type);
    return route === undefined ? [] : [{ owner: route.owner, key: routingKeyOf(consumer, type) }];
  });
}
