import type { AddressInfo, Server } from 'node:net';
import type { FromProcess } from './messages.ts';

/** Lets a server listen on a free loopback port, and tells the parent its address. */
export function listening(server: Server): void {
  server.listen(0, '127.0.0.1', 1_024, () => {
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP listener has a port');
    const message: FromProcess = { kind: 'listening', url: `http://127.0.0.1:${String(address.port)}` };
    process.send?.(message);
  });
}
