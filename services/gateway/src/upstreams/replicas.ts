import { Pool } from 'undici';

type Replica = { readonly pool: Pool; skipUntil: number };

/** The replicas of a service, each with a pool of kept-alive connections. */
export type Replicas = {
  /** Round robin; those that refused a moment ago come last. */
  inTurn(): Replica[];
  /** Passes a replica over for a second, unless no other is left: it refused a connection. */
  skip(replica: Replica): void;
  close(): Promise<void>;
};

const CONNECT_MS = 1_000;
const SKIP_MS = 1_000;
/** Shorter than the services keep an idle connection (65 s), so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;

export function createReplicas(urls: readonly string[], connectionsPerReplica: number, deadlineMs: number): Replicas {
  const replicas: readonly Replica[] = urls.map((url) => ({
    pool: new Pool(url, {
      connections: connectionsPerReplica,
      pipelining: 1,
      connect: { timeout: CONNECT_MS },
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    }),
    skipUntil: 0,
  }));
  let turn = 0;
  return {
    inTurn() {
      turn = (turn + 1) % replicas.length;
      const order = [...replicas.slice(turn), ...replicas.slice(0, turn)];
      const now = performance.now();
      return order.length === 1 ? order : order.sort((a, b) => Number(a.skipUntil > now) - Number(b.skipUntil > now));
    },
    skip(replica) {
      replica.skipUntil = performance.now() + SKIP_MS;
    },
    async close() {
      await Promise.all(replicas.map(({ pool }) => pool.close()));
    },
  };
}
