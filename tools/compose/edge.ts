// `node tools/compose/edge.ts 8080=gateway:8080 …`: the only container of the compose file that is published. A connection to one
// of its ports is passed on, byte for byte, to the replicas of the service behind it in turn; past those that do not listen.
import { resolve4 } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** How long a replica may take to accept, in milliseconds. How long it may take to answer is for the two ends to say. */
const CONNECT_MS = 1_000;
/** Connections to one port; one more is closed at once. */
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

/** Joins the two ends until both have said all they had to say, or one is gone. */
async function passOn(near: Socket, target: Target, turn: number): Promise<void> {
  // What is wrong with an end is told to the other one by closing it.
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

/** A connection to the replica whose turn it is, else to the next one that accepts; undefined where none does. */
async function reach({ service, port }: Target, turn: number): Promise<Socket | undefined> {
  // Docker's resolver names the replicas that run now. In the order of their addresses, as it gives another one each time.
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
// What is open goes on until its ends close it, or the grace period is over.
process.on('SIGTERM', () => {
  for (const server of servers) server.close();
});
