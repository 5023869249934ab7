// `node tools/compose/edge.ts 8080=gateway:8080 …`: the only container of the compose file with published ports. It
// forwards each connection, byte for byte, to the service's replicas in turn, skipping those that do not listen.
// `npm start -- --replicas gateway=2` gives it addresses instead of names, and `HOST` to listen on:
// `20000=127.0.0.1:20001,127.0.0.1:20002`.
import { resolve4 } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer, isIP, type Server, type Socket } from 'node:net';

/** How long a replica may take to accept, in milliseconds. The two ends decide how long an answer may take. */
const CONNECT_MS = 1_000;
/** Connections per port; further ones are closed at once. */
const CONNECTIONS_MAX = 2_000;

type Address = { readonly host: string; readonly port: number };
/** The replicas to choose from; asked again for each connection. */
type Target = () => Promise<readonly Address[]>;

function targetOf(replicas: string): Target {
  const addresses = replicas.split(',').map((one) => {
    const [, host, port] = /^([a-z0-9.-]+):(\d+)$/.exec(one) ?? [];
    if (host === undefined) throw new Error(`${one} is not <service>:<port>`);
    return { host, port: Number(port) };
  });
  const named = addresses.find(({ host }) => isIP(host) === 0);
  if (named === undefined) return () => Promise.resolve(addresses);
  // Docker's resolver returns the running replicas, in a different order each time, so they are sorted.
  return async () => (await resolve4(named.host)).sort().map((host) => ({ host, port: named.port }));
}

function open(way: string): Server {
  const [, from, replicas] = /^(\d+)=(.+)$/.exec(way) ?? [];
  if (replicas === undefined) throw new Error(`${way} is not <port>=<service>:<port>`);
  const target = targetOf(replicas);
  let next = 0;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    next += 1;
    void passOn(near, target, next);
  });
  server.maxConnections = CONNECTIONS_MAX;
  const { HOST: host } = process.env;
  return server.listen({ port: Number(from), ...(host === undefined ? {} : { host }) });
}

/** Connects the two ends until both have sent everything, or one is gone. */
async function passOn(near: Socket, target: Target, index: number): Promise<void> {
  // Errors on one end are passed on by closing the other.
  near.on('error', () => undefined);
  const far = await reach(target, index).catch(() => undefined);
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
async function reach(target: Target, index: number): Promise<Socket | undefined> {
  const addresses = await target();
  const first = index % addresses.length;
  for (const { host, port } of [...addresses.slice(first), ...addresses.slice(0, first)]) {
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
