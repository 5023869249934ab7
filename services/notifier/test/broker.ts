import { connect, type ChannelModel } from 'amqplib';
import { FACTS } from '@pay/contract/facts.ts';
import { factSigningKeys } from '@pay/shared/broker/fact-keys.ts';
import { publishInOrder, type OutgoingMessage } from '@pay/shared/broker/publish.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { startRelay, type Relay } from '@pay/shared/outbox/relay.ts';
import { factKeysOf } from '../../../tools/infrastructure/fact-keys.ts';
import { TEST_FACT_SECRET } from '../../../tools/testing/database.ts';
import { routeOf, type FactRoutes } from '@pay/shared/broker/topology.ts';

export type TestPublisher = {
  publish(messages: readonly Pick<OutgoingMessage, 'messageId' | 'type' | 'aggregateId' | 'payload'>[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Publishes what `commitFacts` commits, as the relay of payments does, but to the notifier alone: no other service
 * runs.
 * @param urls the database of payments, and the broker with the credentials of payments
 */
export function startFactsRelay(urls: { readonly databaseUrl: string; readonly amqpUrl: string }): Promise<Relay> {
  return startRelay({
    ...urls,
    service: 'payments',
    facts: Object.assign({}, ...['payment.completed', 'payment.failed'].map(toNotifier)) as FactRoutes,
    keys: factSigningKeys.parse(factKeysOf('payments', TEST_FACT_SECRET)['FACT_SIGNING_KEYS']),
    log: createLog('payments', 'silent'),
  });
}

/** To the notifier alone: no other service is running. */
function toNotifier(type: string) {
  const route = routeOf(FACTS, type);
  return route === undefined ? {} : { [type]: { owner: route.owner, consumers: ['notifier'] } };
}

/** Publishes as the relays of the types' owners do. */
export async function connectPublisher(url: string): Promise<TestPublisher> {
  const model: ChannelModel = await connect(url);
  const channel = await model.createConfirmChannel();
  const occurredAt = new Date('2026-11-20T10:00:00.000Z');
  return {
    async publish(messages) {
      for (const [producer, owned] of Map.groupBy(messages, ({ type }) => routeOf(FACTS, type)?.owner ?? 'nobody')) {
        const whole = owned.map((message) => ({ ...message, occurredAt, requestId: null, traceparent: null }));
        const facts = Object.assign({}, ...owned.map(({ type }) => toNotifier(type))) as FactRoutes;
        const { problem } = await publishInOrder(channel, whole, {
          producer,
          facts,
          keys: factSigningKeys.parse(factKeysOf(producer, TEST_FACT_SECRET)['FACT_SIGNING_KEYS']),
          safe: new Map(),
        });
        if (problem !== undefined) throw problem;
      }
    },
    close: () => model.close(),
  };
}
