import { Duplex } from 'node:stream';
import type { ChannelModel } from 'amqplib';

/**
 * What is written to the broker in one turn of the event loop leaves in one write. amqplib writes every frame by itself:
 * a batch of a hundred messages, or their acks, would be a hundred system calls and packets, and wake the broker as often.
 * ADR 0015.
 * @throws TypeError when amqplib keeps its socket elsewhere than in the version that this was written for.
 */
export function writeOnceATurn({ connection }: ChannelModel): void {
  const socket: unknown = Reflect.get(connection, 'stream');
  if (!(socket instanceof Duplex)) throw new TypeError('the socket of a broker connection was not found');
  let isHeld = false;
  const release = () => {
    isHeld = false;
    socket.uncork();
  };
  const write = socket.write.bind(socket);
  Reflect.set(socket, 'write', (...written: Parameters<typeof write>): boolean => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      process.nextTick(release);
    }
    return write(...written);
  });
}
