import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to PostgreSQL that counts how often a client waits for a response. */
export type RoundTrips = {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Round trips since the last call. */
  take(): number;
  close(): Promise<void>;
};

/**
 * Counts the round trips of all connections to a database: one begins whenever a client sends after a response of the
 * server. Messages sent together, or before the previous response, count as one: that is what pipelining saves. What is sent
 * alone and starts with `ignored`, a query without parameters, is not counted.
 */
export async function countRoundTrips(databaseUrl: string, ignored?: string): Promise<RoundTrips> {
  const target = new URL(databaseUrl);
  let count = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    let isAnswered = true;
    near.on('data', (chunk: Buffer) => {
      const isIgnored = ignored !== undefined && isAlone(chunk, ignored);
      if (isAnswered && !isIgnored) count += 1;
      isAnswered = false;
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      isAnswered = true;
      near.write(chunk);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/**
 * The fewest round trips that an act took, of at most five tries; it stops at `most`. The first time, which opens connections and prepares
 * statements, does not count. Later a new connection has to prepare them, too, and on a busy machine an answer may take so long that a
 * fence asks once more (decisions/leases-and-fences). `arrange` prepares an act, and is not counted.
 */
export async function fewestRoundTrips(
  trips: Pick<RoundTrips, 'take'>,
  most: number,
  arrange: () => Promise<() => Promise<unknown>>,
): Promise<number> {
  await (
    await arrange()
  )();
  let fewest = Infinity;
  for (let run = 0; run < 5 && fewest > most; run += 1) {
    const act = await arrange();
    trips.take();
    await act();
    fewest = Math.min(fewest, trips.take());
  }
  return fewest;
}

/** Whether these bytes are one simple query and nothing else: `Q`, its length without that letter, its text. */
const isAlone = (chunk: Buffer, text: string): boolean =>
  chunk.length > 5 && chunk.readUInt32BE(1) === chunk.length - 1 && chunk.toString('latin1', 5).startsWith(text) && chunk[0] === 0x51;
