import { FACTS } from '../../packages/contract/src/facts.ts';
import {
  bindingsOf,
  DEAD_QUEUE_ARGUMENTS,
  deadQueueOf,
  exchangeOf,
  queueArguments,
  queueOf,
  routingKeyOf,
  servicesOf,
  typesConsumedBy,
  type FactRoutes,
} from '../../packages/shared/src/broker/topology.ts';
import { brokerUser, management } from './rabbitmq.ts';

/** The services with a broker user: all that the declaration of facts names. */
const BROKER_SERVICES = ['bindings', 'notifier', 'payments', 'withdrawals'] as const;
type BrokerService = (typeof BROKER_SERVICES)[number];
export type BrokerUrls = Readonly<Record<BrokerService, string>>;

export type BrokerPlan = {
  readonly vhost: string;
  /** Prefix of all user names: users belong to the whole server, and a given server may have others. */
  readonly userPrefix: string;
  readonly passwordOf: (service: BrokerService) => string;
};

/**
 * A broker's users, rights, exchanges, queues and bindings, as RabbitMQ definitions (`load_definitions`, `POST
 * /api/definitions`), all derived from the declaration of facts. A service may create, write and read what is its own,
 * bind its queue to the keys meant for it, and nothing else. See decisions/broker-trust.
 */
export function brokerDefinitions({ vhost, userPrefix, passwordOf }: BrokerPlan) {
  const facts: FactRoutes = FACTS;
  const services = BROKER_SERVICES;
  if (services.join() !== servicesOf(facts).join()) throw new Error('BROKER_SERVICES differ from the services in FACTS');
  const producers = services.filter((service) => keysSaidBy(facts, service).length > 0);
  const consumers = services.filter((service) => typesConsumedBy(facts, service).length > 0);
  const durable = { vhost, durable: true, auto_delete: false };
  const bound = (source: string, destination: string, key: string) => ({
    vhost,
    source,
    destination,
    destination_type: 'queue',
    routing_key: key,
    arguments: {},
  });
  return {
    users: services.map((service) => brokerUser(userPrefix + service, passwordOf(service), '')),
    vhosts: [{ name: vhost }],
    permissions: services.map((service) => ({ vhost, user: userPrefix + service, ...rightsOf(facts, service) })),
    topic_permissions: services.flatMap((service) =>
      topicRightsOf(facts, service).map((rights) => ({ vhost, user: userPrefix + service, ...rights })),
    ),
    exchanges: [
      ...producers.map((service) => ({ ...durable, name: exchangeOf(service), type: 'topic' })),
      ...consumers.map((service) => ({ ...durable, name: deadQueueOf(service), type: 'direct' })),
    ].map((exchange) => ({ ...exchange, internal: false, arguments: {} })),
    queues: consumers.flatMap((service) => [
      { ...durable, name: deadQueueOf(service), arguments: DEAD_QUEUE_ARGUMENTS },
      { ...durable, name: queueOf(service), arguments: queueArguments(service) },
    ]),
    bindings: consumers.flatMap((service) => [
      bound(deadQueueOf(service), deadQueueOf(service), queueOf(service)),
      ...bindingsOf(facts, service).map(({ owner, key }) => bound(exchangeOf(owner), queueOf(service), key)),
    ]),
  };
}

/**
 * Creates users, rights and topology through the management API, as its administrator. Safe to repeat. @throws Error
 */
export async function provisionBroker(managementUrl: string, plan: BrokerPlan): Promise<void> {
  const answer = await management(managementUrl, 'POST', 'definitions', brokerDefinitions(plan));
  if (!answer.ok) throw new Error(`RabbitMQ rejected the definitions: ${String(answer.status)} ${await answer.text()}`);
}

/** The services' URLs at a broker that was provisioned with the same options. */
export function brokerUrls(amqpUrl: string, plan: BrokerPlan): BrokerUrls {
  const entries = BROKER_SERVICES.map((service): [BrokerService, string] => {
    const url = new URL(amqpUrl);
    url.username = plan.userPrefix + service;
    url.password = plan.passwordOf(service);
    url.pathname = plan.vhost === '/' ? '' : `/${encodeURIComponent(plan.vhost)}`;
    return [service, url.href];
  });
  return Object.fromEntries(entries) as BrokerUrls;
}

/** Uses the user of the given URL for every service, for servers where users cannot be created. */
export function brokerUrlsOfOneUser(amqpUrl: string): BrokerUrls {
  return Object.fromEntries(BROKER_SERVICES.map((service) => [service, amqpUrl])) as BrokerUrls;
}

/** The routing keys that a producer may write. */
function keysSaidBy(facts: FactRoutes, producer: string): string[] {
  return Object.entries(facts).flatMap(([type, { owner, consumers }]) =>
    owner === producer ? consumers.map((consumer) => routingKeyOf(consumer, type)) : [],
  );
}

/** The exchanges that a service's queue is bound to, with the keys for each. */
function heardBy(facts: FactRoutes, consumer: string): Map<string, string[]> {
  const heard = new Map<string, string[]>();
  for (const { owner, key } of bindingsOf(facts, consumer)) heard.set(owner, [...(heard.get(owner) ?? []), key]);
  return heard;
}

function rightsOf(facts: FactRoutes, service: string) {
  const queues = typesConsumedBy(facts, service).length > 0 ? [queueOf(service), deadQueueOf(service)] : [];
  const exchanges = keysSaidBy(facts, service).length > 0 ? [exchangeOf(service)] : [];
  const own = exactly([...exchanges, ...queues]);
  // Binding a queue means writing to it and reading from the exchange.
  return {
    configure: own,
    write: own,
    read: exactly([...queues, ...[...heardBy(facts, service).keys()].map(exchangeOf)]),
  };
}

/**
 * Without its own entry for an exchange, a user may use every routing key there. So each reachable exchange has one.
 */
function topicRightsOf(facts: FactRoutes, service: string) {
  const heard = heardBy(facts, service);
  return servicesOf(facts)
    .filter((producer) => keysSaidBy(facts, producer).length > 0)
    .map((producer) => ({
      exchange: exchangeOf(producer),
      write: exactly(producer === service ? keysSaidBy(facts, producer) : []),
      read: exactly(heard.get(producer) ?? []),
    }));
}

/** A pattern that matches exactly these names (letters, dots, underscores, hyphens); for an empty list, no name. */
function exactly(names: readonly string[]): string {
  return `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;
}
