// `node tools/compose/edge.ts 8080=gateway:8080 …`: the only container of the compose file with published ports. It
// forwards each connection, byte for byte, to the service's replicas in turn, skipping those that do not listen.
import { resolve4 } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** How long a replica may take to accept, in milliseconds. The two ends decide how long an answer may take. */
const CONNECT_MS = 1_000;
/** Connections per port; further ones are closed at once. */
const CONNECTIONS_MAX = 2_000;

/** A service of the compose file, and the port of its replicas. */
type Target = { readonly service: string; readonly port: number };

function open(way: string): Server {
  const [, from, service, port] = /^(\d+)=([a-z-]+):(\d+)$/.exec(way) ?? [];
  if (from === undefined || service === undefined) throw new Error(`${way} is not <port>=<service>:<port>`);
  const target = { service, port: Number(port) };
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    turn += 1;
    void passOn(near, target, turn);
  });
  server.maxConnections = CONNECTIONS_MAX;
  return server.listen(Number(from));
}

/** Connects the two ends until both have sent everything, or one is gone. */
async function passOn(near: Socket, target: Target, turn: number): Promise<void> {
  // Errors on one end are passed on by closing the other.
  near.on('error', () => undefined);
  const far = await reach(target, turn).catch(() => undefined);
  if (far === undefined || near.destroyed) {
    near.destroy();
    far?.destroy();
    return;
  }
  near.on('close', () => {
    far.destroySoon();
  });
  far.on('close', () => {
    near.destroySoon();
  });
  near.pipe(far);
  far.pipe(near);
}

/** Connects to the next replica in turn, or the one after it that accepts; undefined if none does. */
async function reach({ service, port }: Target, turn: number): Promise<Socket | undefined> {
  // Docker's resolver returns the running replicas, in a different order each time, so they are sorted.
  const addresses = (await resolve4(service)).sort();
  const first = turn % addresses.length;
  for (const host of [...addresses.slice(first), ...addresses.slice(0, first)]) {
    const far = connect({ host, port, allowHalfOpen: true });
    far.on('error', () => undefined);
    try {
      await once(far, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
      return far;
    } catch {
      far.destroy();
    }
  }
  return undefined;
}

const servers = process.argv.slice(2).map(open);
// Open connections continue until their ends close them or the grace period is over.
process.on('SIGTERM', () => {
  for (const server of servers) server.close();
});
