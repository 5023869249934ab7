import { createServer, type Server } from 'node:net';

const LOOPBACK = '127.0.0.1';

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP listener has a port');
  return address.port;
}

/**
 * Free loopback ports, one for each name, all different. A wished port is kept where it is still free. The ports are
 * free when this returns; somebody may take one before it is used, so whoever starts a server is ready to fail.
 */
export async function freePorts<Name extends string>(
  names: readonly Name[],
  wished: Partial<Record<Name, number>> = {},
): Promise<Record<Name, number>> {
  const held: Server[] = [];
  const ports: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const server = (await listen(wished[name] ?? 0)) ?? (await listen(0));
    if (server === undefined) throw new Error(`there is no free port on ${LOOPBACK}`);
    held.push(server);
    ports[name] = portOf(server);
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as Record<Name, number>;
}
