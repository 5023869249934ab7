import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { FACTS } from '../../packages/contract/src/facts.ts';
import {
  bindConsumer,
  declareConsumer,
  declareProducer,
  deadQueueOf,
  exchangeOf,
  queueOf,
} from '../../packages/shared/src/broker/topology.ts';
import { createTestBroker, type TestBroker } from '../testing/database.ts';
import { management } from './rabbitmq.ts';

let broker: TestBroker;
let connections: Record<keyof TestBroker['urls'], ChannelModel>;
type Service = keyof typeof connections;

beforeAll(async () => {
  broker = await createTestBroker('services');
  const entries = Object.entries(broker.urls).map(async ([service, url]) => {
    const model = await connect(url);
    model.on('error', () => undefined);
    return [service, model] as const;
  });
  connections = Object.fromEntries(await Promise.all(entries)) as typeof connections;
});
afterAll(async () => {
  for (const model of Object.values(connections)) await model.close();
  await broker.drop();
});

/** The broker's answer to a service that tries this: `done`, or the error code. */
async function attempt(service: Service, work: (channel: ConfirmChannel) => Promise<unknown>): Promise<'done' | number> {
  const channel = await connections[service].createConfirmChannel();
  const refused = new Promise<number>((resolve) => {
    channel.on('error', (error: Error & { code?: number }) => {
      resolve(error.code ?? 0);
    });
  });
  const tried = work(channel).then(
    () => 'done' as const,
    (error: unknown) => (error instanceof Error && 'code' in error ? Number(error.code) : refused),
  );
  const answer = await Promise.race([tried, refused]);
  if (answer === 'done') await channel.close();
  return answer;
}

const publish = (service: Service, exchange: string, key: string) =>
  attempt(service, async (channel) => {
    channel.publish(exchange, key, Buffer.from('{}'), { messageId: 'forged', type: 'payment.completed' });
    await channel.waitForConfirms();
  });

const ACCESS_REFUSED = 403;
const SERVICES: readonly Service[] = ['bindings', 'notifier', 'payments', 'withdrawals'];

describe('the users of the broker', () => {
  it.each(SERVICES)('%s may make, again and again, what is its own (S5)', async (service) => {
    const consumes = service !== 'payments';
    const produces = service === 'payments' || service === 'bindings';
    const answer = await attempt(service, async (channel) => {
      if (produces) await declareProducer(channel, service);
      if (consumes) await declareConsumer(channel, service);
      if (consumes) await bindConsumer(channel, service, FACTS);
    });
    expect(answer).toBe('done');
  });

  it.each(SERVICES)('%s says nothing that it does not own, by whatever exchange (S5)', async (service) => {
    const others = (['payments', 'bindings'] as const).filter((producer) => producer !== service);
    const ways = [
      ...others.map((producer) => [exchangeOf(producer), 'notifier.payment.completed'] as const),
      // The default exchange reaches every queue by its name.
      ['', queueOf('notifier')] as const,
      ...SERVICES.filter((other) => other !== service && other !== 'payments').map(
        (other) => [deadQueueOf(other), queueOf(other)] as const,
      ),
      ['amq.topic', 'notifier.payment.completed'] as const,
    ];
    for (const [exchange, key] of ways) expect([exchange, await publish(service, exchange, key)]).toEqual([exchange, ACCESS_REFUSED]);
  });

  it('a producer says its own types to their consumers, and no other key (S5)', async () => {
    expect(await publish('bindings', 'bindings.facts', 'notifier.binding.created')).toBe('done');
    expect(await publish('bindings', 'bindings.facts', 'notifier.payment.completed')).toBe(ACCESS_REFUSED);
    expect(await publish('payments', 'payments.facts', 'withdrawals.payment.completed')).toBe(ACCESS_REFUSED);
  });

  it('a consumer hears what is meant for it, and nothing else (S5)', async () => {
    const bind = (key: string) => attempt('bindings', (c) => c.bindQueue('bindings.inbox', 'payments.facts', key));
    expect(await bind('bindings.payment.completed')).toBe('done');
    for (const key of ['notifier.payment.completed', '#', 'bindings.#', 'bindings.store.created'])
      expect([key, await bind(key)]).toEqual([key, ACCESS_REFUSED]);
    expect(await attempt('withdrawals', (c) => c.consume('notifier.inbox', () => undefined))).toBe(ACCESS_REFUSED);
    expect(await attempt('withdrawals', (c) => c.consume('notifier.dead', () => undefined))).toBe(ACCESS_REFUSED);
  });

  it("nobody deletes or unbinds what is somebody else's (S5)", async () => {
    const tries: ((channel: ConfirmChannel) => Promise<unknown>)[] = [
      (channel) => channel.deleteQueue('notifier.inbox'),
      (channel) => channel.purgeQueue('notifier.inbox'),
      (channel) => channel.deleteExchange('payments.facts'),
      (channel) => channel.unbindQueue('notifier.inbox', 'payments.facts', 'notifier.payment.completed'),
      (channel) => channel.assertQueue('something.new'),
    ];
    for (const work of tries) expect(await attempt('withdrawals', work)).toBe(ACCESS_REFUSED);
  });

  it.each(SERVICES)('%s is no administrator (S5)', async (service) => {
    const { username, password } = new URL(broker.urls[service]);
    const asService = new URL(broker.managementUrl);
    Object.assign(asService, { username, password });
    const answer = await management(asService.href, 'GET', 'users');
    expect(answer.status).toBe(401);
  });
});
