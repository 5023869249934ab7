import type { Duplex } from 'node:stream';

/**
 * Everything written to a socket in one tick of the event loop leaves in one write. amqplib writes every frame
 * separately, and pg every statement: each would be a system call, a packet, and a wake-up of the other side. See
 * decisions/outbox-and-relay.
 */
export function corkWrites(socket: Duplex): void {
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
