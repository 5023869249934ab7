import { connect } from 'amqplib';
import { FACTS } from '../packages/contract/src/facts.ts';
import { deadQueueOf, queueOf } from '../packages/shared/src/broker/topology.ts';
import type { World } from './world.ts';

/** Whole messages, headers among them, that wait in the queues of all services; they stay where they are. */
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
    // What was taken and not acknowledged goes back.
    await connection.close();
  }
}
