import { Duplex } from 'node:stream';
import type { ChannelModel } from 'amqplib';
import { corkWrites } from '../../net/cork-writes.ts';

/**
 * Everything written to the broker in one tick of the event loop leaves in one write: a batch of a hundred messages, or
 * their acks, would otherwise be a hundred system calls and wake the broker as often. See decisions/outbox-and-relay.
 * @throws TypeError if amqplib keeps its socket elsewhere than in the version this was written for
 */
export function corkBrokerWrites({ connection }: ChannelModel): void {
  const socket: unknown = Reflect.get(connection, 'stream');
  if (!(socket instanceof Duplex)) throw new TypeError('the socket of a broker connection was not found');
  corkWrites(socket);
}
