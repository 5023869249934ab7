import { connect } from 'amqplib';
import { FACTS } from '../packages/contract/src/facts.ts';
import { deadQueueOf, exchangeOf, queueOf } from '../packages/shared/src/broker/topology.ts';
import type { World } from './world.ts';

/** All messages, including headers, that wait in the services' queues; they stay there. */
export async function waitingMessages(world: World): Promise<string[]> {
  const connection = await connect(world.system.state().infrastructure.amqpUrl);
  try {
    const channel = await connection.createChannel();
    const consumers = new Set<string>(Object.values(FACTS).flatMap((fact) => fact.consumers));
    const found: string[] = [];
    for (const queue of [...consumers].flatMap((consumer) => [queueOf(consumer), deadQueueOf(consumer)])) {
      for (let message = await channel.get(queue); message !== false; message = await channel.get(queue))
        found.push(`${queue} ${JSON.stringify(message.properties)} ${message.content.toString('utf8')}`);
    }
    return found;
  } finally {
    // Unacknowledged messages are requeued.
    await connection.close();
  }
}

/** A listener for everything that is published from now on. */
export type Tap = { readonly messages: readonly string[]; close(): Promise<void> };

/** A queue of our own beside those of the services, bound to every producer's exchange and to the dead letters. */
export async function tapBroker(world: World): Promise<Tap> {
  const connection = await connect(world.system.state().infrastructure.amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  const facts = Object.values(FACTS);
  for (const producer of new Set(facts.map(({ owner }) => owner))) await channel.bindQueue(queue, exchangeOf(producer), '#');
  for (const consumer of new Set<string>(facts.flatMap(({ consumers }) => consumers)))
    await channel.bindQueue(queue, deadQueueOf(consumer), queueOf(consumer));
  const messages: string[] = [];
  await channel.consume(
    queue,
    (message) => {
      if (message !== null)
        messages.push(`${message.fields.routingKey} ${JSON.stringify(message.properties)} ${message.content.toString('utf8')}`);
    },
    { noAck: true },
  );
  return { messages, close: () => connection.close() };
}
