import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import pg from 'pg';
import { createTestBroker, type TestBroker } from '../../../../tools/testing/database.ts';
import { signingKeysOf, verificationKeysOf } from '../../test/fact-keys.ts';
import { gate, silent, until } from '../../test/mechanisms.ts';
import { startConsumer, type Consumer, type DeadMessage, type Handle } from './consume.ts';
import { messagesRefused, topologyComplete } from '../telemetry/metrics.ts';
import { factVerifier, signFact } from './fact-signature.ts';
import { PAUSES_MAX } from './pauses.ts';
import { publishInOrder, type OutgoingMessage, type Outlet } from './publish.ts';
import { declareProducer, deadQueueOf, queueOf, type FactRoutes } from './topology.ts';

const TYPE = 'thing.happened';
const FACTS: FactRoutes = { [TYPE]: { owner: 'producer', consumers: ['receiver'] } };
const outlet = (facts = FACTS): Outlet => ({
  producer: 'producer',
  facts,
  keys: signingKeysOf(facts, 'producer'),
  safe: new Map(),
});
let broker: TestBroker;
let stops: (() => Promise<void>)[];
beforeEach(async () => {
  broker = await createTestBroker();
  stops = [];
  await withChannel((channel) => declareProducer(channel, 'producer'));
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await broker.drop();
});

const consume = async (
  handlers: Readonly<Record<string, Handle>>,
  keepDead?: (message: DeadMessage) => Promise<void>,
  pauseMs: (deliveries: number) => number = () => 0,
): Promise<Consumer> => {
  const consumer = await startConsumer({
    url: broker.url,
    service: 'receiver',
    facts: FACTS,
    verify: factVerifier(FACTS, 'receiver', verificationKeysOf(FACTS, 'receiver')),
    log: silent,
    handlers,
    pauseMs,
    ...(keepDead === undefined ? {} : { keepDead }),
  });
  stops.push(async () => {
    await consumer.drain();
    await consumer.close();
  });
  await until(() => consumer.isBound);
  return consumer;
};

type Fact = Parameters<typeof signFact>[0];
type Headers = { readonly aggregateId: string; readonly occurredAt: string; readonly signature: string | undefined };
const key = (consumer: string) => {
  const found = signingKeysOf({ [TYPE]: { owner: 'producer', consumers: ['receiver', 'other'] } }, 'producer').get(consumer);
  if (found === undefined) throw new Error('no such key');
  return found;
};
const refusals = async () => (await messagesRefused.get()).values[0]?.value ?? 0;

const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  messageId: randomUUID(),
  type: TYPE,
  aggregateId: 'a1',
  occurredAt: new Date('2026-03-01T12:00:00Z'),
  payload: { amountKopecks: '1050' },
  requestId: null,
  traceparent: null,
  ...change,
});

async function withChannel<T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const model = await connect(broker.url);
  try {
    return await work(await model.createConfirmChannel());
  } finally {
    await model.close();
  }
}

const publish = (...messages: OutgoingMessage[]) =>
  withChannel(async (channel) => {
    expect(await publishInOrder(channel, messages, outlet())).toEqual({ taken: messages.length });
  });

/** Takes one message from a queue once there is one. */
async function take(queue: string): Promise<GetMessage> {
  const found: GetMessage[] = [];
  await until(() =>
    withChannel(async (channel) => {
      const message = await channel.get(queue, { noAck: true });
      if (message !== false) found.push(message);
      return found.length > 0;
    }),
  );
  const [message] = found;
  if (message === undefined) throw new Error('the queue is empty');
  return message;
}

const depth = (queue: string) => withChannel(async (channel) => (await channel.checkQueue(queue)).messageCount);

describe('consumer', () => {
  it('hands over again what failed, until it succeeds', async () => {
    let deliveries = 0;
    await consume({
      [TYPE]: () => {
        deliveries += 1;
        return deliveries < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
      },
    });
    await publish(message());
    await until(() => deliveries === 3);
    await until(async () => (await depth(queueOf('receiver'))) === 0);
    expect(await depth(deadQueueOf('receiver'))).toBe(0);
  });

  it('puts a poison message aside after twenty failed deliveries, and goes on with the others', async () => {
    let deliveries = 0;
    let others = 0;
    await consume({
      [TYPE]: ({ aggregateId }) => {
        if (aggregateId === 'poison') {
          deliveries += 1;
          return Promise.reject(new Error('never'));
        }
        others += 1;
        return Promise.resolve();
      },
    });
    const poison = message({ aggregateId: 'poison' });
    await publish(poison, message());
    const dead = await take(deadQueueOf('receiver'));
    expect(dead.properties.messageId).toBe(poison.messageId);
    expect(JSON.parse(dead.content.toString())).toEqual(poison.payload);
    expect({ deliveries, others }).toEqual({ deliveries: 21, others: 1 });
  });

  it('hands a poison message to whoever keeps dead letters, byte for byte, until it is kept', async () => {
    const kept: DeadMessage[] = [];
    let refusals = 1;
    await consume({ [TYPE]: () => Promise.reject(new Error('never')) }, (dead) => {
      refusals -= 1;
      if (refusals >= 0) return Promise.reject(new Error('the database is away'));
      kept.push(dead);
      return Promise.resolve();
    });
    const poison = message({ requestId: randomUUID() });
    await publish(poison);
    await until(() => kept.length === 1);
    const { messageId, aggregateId, requestId } = poison;
    expect(kept).toMatchObject([{ messageId, aggregateId, requestId, type: TYPE }]);
    expect(kept[0]?.body.toString()).toBe(JSON.stringify(poison.payload));
    await until(async () => (await depth(deadQueueOf('receiver'))) === 0);
  });

  it('puts aside what nobody handles, and what is not JSON', async () => {
    await consume({
      [TYPE]: ({ body }) => (body === undefined ? Promise.reject(new Error('no body')) : Promise.resolve()),
    });
    await withChannel(async (channel) => {
      channel.sendToQueue(queueOf('receiver'), Buffer.from('{not json'), { type: TYPE, messageId: 'broken' });
      channel.sendToQueue(queueOf('receiver'), Buffer.from('{}'), { type: 'constructor', messageId: 'unknown' });
      await channel.waitForConfirms();
    });
    const ids = [await take(deadQueueOf('receiver')), await take(deadQueueOf('receiver'))].map(
      ({ properties }) => properties.messageId as unknown,
    );
    expect(ids.toSorted()).toEqual(['broken', 'unknown']);
  });

  it.each([
    ['is not signed', (headers: Headers) => ({ ...headers, signature: undefined })],
    [
      'is signed for another consumer, by whom it could be',
      (headers: Headers, own: Fact) => ({ ...headers, signature: signFact(own, 'producer', 'other', key('other')) }),
    ],
    [
      'another consumer signed for this one',
      (headers: Headers, own: Fact) => ({ ...headers, signature: signFact(own, 'producer', 'receiver', key('other')) }),
    ],
    ['is about another aggregate', (headers: Headers) => ({ ...headers, aggregateId: 'another' })],
    ['is from another time', (headers: Headers) => ({ ...headers, occurredAt: '2026-03-02T12:00:00.000Z' })],
  ] as const)('never believes what %s: it is put aside at once, and said (S5)', async (_what, change) => {
    let believed = 0;
    const kept: DeadMessage[] = [];
    const before = await refusals();
    await consume({ [TYPE]: () => Promise.resolve(void (believed += 1)) }, (dead) => Promise.resolve(void kept.push(dead)));
    const fact = {
      messageId: randomUUID(),
      type: TYPE,
      aggregateId: 'a1',
      occurredAt: '2026-03-01T12:00:00.000Z',
      body: Buffer.from('{}'),
    };
    const signature = signFact(fact, 'producer', 'receiver', key('receiver'));
    const headers = change({ aggregateId: fact.aggregateId, occurredAt: fact.occurredAt, signature }, fact);
    await withChannel(async (channel) => {
      channel.publish('producer.facts', `receiver.${TYPE}`, fact.body, {
        messageId: fact.messageId,
        type: TYPE,
        headers,
      });
      await channel.waitForConfirms();
    });
    await until(() => kept.length === 1);
    expect(kept[0]?.messageId).toBe(fact.messageId);
    expect(kept[0]?.refusal).toEqual(expect.stringContaining('sign'));
    expect({ believed, refused: (await refusals()) - before }).toEqual({ believed: 0, refused: 1 });
  });

  it('puts a copy of an old message aside, which the inbox has forgotten (N13)', async () => {
    let believed = 0;
    const kept: DeadMessage[] = [];
    await consume({ [TYPE]: () => Promise.resolve(void (believed += 1)) }, (dead) => Promise.resolve(void kept.push(dead)));
    // Made on 2026-03-01.
    const messageId = '019ca8f5-6800-7000-8000-000000000000';
    const fact = { messageId, type: TYPE, aggregateId: 'a1', occurredAt: '2026-03-01T12:00:00.000Z', body: Buffer.from('{}') };
    const signature = signFact(fact, 'producer', 'receiver', key('receiver'));
    await withChannel(async (channel) => {
      const headers = { aggregateId: fact.aggregateId, occurredAt: fact.occurredAt, signature };
      channel.publish('producer.facts', `receiver.${TYPE}`, fact.body, { messageId, type: TYPE, headers });
      await channel.waitForConfirms();
    });
    await until(() => kept.length === 1);
    expect([kept[0]?.messageId, kept[0]?.refusal, believed]).toEqual([messageId, 'it is older than 29 days', 0]);
  });

  it('holds a message while the database is away, and does not count that as a failure', async () => {
    let asked = 0;
    await consume({
      [TYPE]: () => {
        asked += 1;
        return asked < 2 ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) : Promise.resolve();
      },
    });
    await publish(message());
    await until(() => asked === 2);
    await until(async () => (await depth(queueOf('receiver'))) === 0);
    expect(await depth(deadQueueOf('receiver'))).toBe(0);
  });

  it('waits for a lock or a slow statement, however often, and does not count it as failed (point 6)', async () => {
    let tries = 0;
    const busy = (state: string) => Object.assign(new pg.DatabaseError('busy', 0, 'error'), { code: state });
    const dead: DeadMessage[] = [];
    await consume(
      {
        [TYPE]: () => {
          tries += 1;
          if (tries > 30) return Promise.resolve();
          return Promise.reject(new Error('wrapped', { cause: busy(tries % 2 === 0 ? '55P03' : '57014') }));
        },
      },
      (message) => {
        dead.push(message);
        return Promise.resolve();
      },
    );
    await publish(message());
    await until(() => tries === 31);
    await until(async () => (await depth(queueOf('receiver'))) === 0);
    expect(dead).toEqual([]);
  });

  it('what waits for a lock counts as failed once it fails for another reason (point 6)', async () => {
    let tries = 0;
    await consume({
      [TYPE]: () => {
        tries += 1;
        const error = tries === 1 ? Object.assign(new pg.DatabaseError('busy', 0, 'error'), { code: '55P03' }) : new Error('never');
        return Promise.reject(error);
      },
    });
    const poison = message();
    await publish(poison);
    expect((await take(deadQueueOf('receiver'))).properties.messageId).toBe(poison.messageId);
    // One wait beside twenty-one deliveries.
    expect(tries).toBe(22);
  });

  it.each([
    ['sixty', 60],
    ['more than may pause', PAUSES_MAX + 60],
  ])('passes on a healthy message beside %s that fail each time and pause (point 6)', async (_many, count) => {
    const [poison, healthy] = [new Set<string>(), new Set<string>()];
    await consume(
      {
        [TYPE]: ({ messageId, aggregateId }) => {
          if (aggregateId === 'healthy') {
            healthy.add(messageId);
            return Promise.resolve();
          }
          poison.add(messageId);
          return Promise.reject(new Error('never'));
        },
      },
      undefined,
      () => 3_600_000,
    );
    await publish(...Array.from({ length: count }, () => message({ aggregateId: 'poison' })));
    await until(() => poison.size >= Math.min(count, PAUSES_MAX));
    await publish(message({ aggregateId: 'healthy' }), message({ aggregateId: 'healthy' }));
    await until(() => healthy.size === 2);
    expect(poison.size).toBeGreaterThanOrEqual(Math.min(count, PAUSES_MAX));
  });

  it('finishes at a drain what it has begun, and leaves the rest to the next one', async () => {
    const begun = gate();
    const held = gate();
    const finished: string[] = [];
    const first = await consume({
      [TYPE]: async ({ aggregateId }) => {
        begun.resolve(undefined);
        await held.promise;
        finished.push(aggregateId);
      },
    });
    await publish(message({ aggregateId: 'running' }));
    await begun.promise;
    const draining = first.drain();
    await publish(message({ aggregateId: 'later' }));
    held.resolve(undefined);
    await draining;
    await first.close();
    expect(finished).toEqual(['running']);
    const second: string[] = [];
    await consume({
      [TYPE]: ({ aggregateId }) => {
        second.push(aggregateId);
        return Promise.resolve();
      },
    });
    await until(() => second.length > 0);
    expect(second).toEqual(['later']);
  });

  it('subscribes again after its queue was taken away', async () => {
    const received: string[] = [];
    await consume({
      [TYPE]: ({ aggregateId }) => {
        received.push(aggregateId);
        return Promise.resolve();
      },
    });
    await withChannel((channel) => channel.deleteQueue(queueOf('receiver')));
    await until(async () => {
      const { taken } = await withChannel((channel) => publishInOrder(channel, [message({ aggregateId: 'again' })], outlet()));
      return taken === 1;
    });
    await until(() => received.includes('again'));
    expect(received).toContain('again');
  });
});

describe('startConsumer', () => {
  it('shows in the metric that it has its queue, and that it has not once its connection is gone', async () => {
    const shown = async () => (await topologyComplete.get()).values.find(({ labels }) => labels.part === 'consumer')?.value;
    const consumer = await consume({ [TYPE]: () => Promise.resolve() });
    expect(await shown()).toBe(1);
    await consumer.close();
    expect(await shown()).toBe(0);
  });

  it('refuses handlers that are others than what is declared', async () => {
    await expect(consume({ 'other.thing': () => Promise.resolve() })).rejects.toThrow(
      'receiver must handle thing.happened; it handles other.thing',
    );
  });
});

describe('publishInOrder', () => {
  it('reports the first message that no queue takes, and what was taken before it', async () => {
    await consume({ [TYPE]: () => Promise.resolve() });
    await withChannel(async (channel) => {
      const unheard = { 'unheard.of': { owner: 'producer', consumers: ['receiver'] } };
      const batch = [message(), message({ type: 'unheard.of' }), message()];
      const { taken, problem } = await publishInOrder(channel, batch, outlet({ ...FACTS, ...unheard }));
      expect(taken).toBe(1);
      expect(problem?.message).toBe('no queue is bound for receiver.unheard.of');
      expect(problem?.unroutable).toEqual(['receiver.unheard.of']);
    });
  });

  it('keeps what its producer is not declared to say', async () => {
    await consume({ [TYPE]: () => Promise.resolve() });
    await withChannel(async (channel) => {
      const foreign = { 'foreign.fact': { owner: 'somebody', consumers: ['receiver'] } };
      const batch = [message({ type: 'foreign.fact' })];
      const { taken, problem } = await publishInOrder(channel, batch, outlet({ ...FACTS, ...foreign }));
      expect({ taken, says: problem?.message }).toEqual({
        taken: 0,
        says: 'producer is not declared as the owner of foreign.fact',
      });
    });
  });

  it('reports a channel that is closed under it', async () => {
    await withChannel(async (channel) => {
      const messages = Array.from({ length: 50 }, () => message());
      const publishing = publishInOrder(channel, messages, outlet());
      const closed = channel.close();
      const { taken, problem } = await publishing;
      await closed;
      expect(taken).toBeLessThan(messages.length);
      expect(problem?.name).toBe('PublishError');
    });
  });
});
