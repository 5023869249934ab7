import type pg from 'pg';
import { currentPartner } from '../../logging/request-context.ts';

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, done: (error?: Error | boolean) => void) => void;

/**
 * Lets one partner's calls hold at most a third of a pool's connections, however slow their statements are: the rest waits for
 * them, in order, and nobody else does. The bulkheads before it (decisions/bulkheads) count calls, of which a partner may have sixteen
 * times as many. Work that is nobody's call, such as a loop's, is not counted.
 * @param waitMs how long a call waits for a place: then it fails as one that waits for the pool does
 */
export function shareWithPartners(pool: pg.Pool, waitMs: number): void {
  const shares = createShares(Math.max(1, Math.floor(pool.options.max / 3)), waitMs);
  const holders = new WeakMap<pg.PoolClient, string>();
  const connect = pool.connect.bind(pool);

  async function connectAs(partner: string): Promise<pg.PoolClient> {
    await shares.take(partner);
    try {
      const client = await connect();
      holders.set(client, partner);
      return client;
    } catch (error) {
      shares.give(partner);
      throw error;
    }
  }

  function connectWithin(): Promise<pg.PoolClient>;
  function connectWithin(taken: Taken): void;
  function connectWithin(taken?: Taken): Promise<pg.PoolClient> | undefined {
    const partner = currentPartner();
    if (taken === undefined) return partner === undefined ? connect() : connectAs(partner);
    if (partner === undefined) connect(taken);
    else void connectAs(partner).then(onTaken(taken), onRefused(taken));
    return undefined;
  }
  pool.connect = connectWithin;
  pool.on('release', (_error, client) => {
    const partner = holders.get(client);
    holders.delete(client);
    if (partner !== undefined) shares.give(partner);
  });
}

/** The pool's own statements (`pool.query`) take connections with a callback. */
const onTaken = (taken: Taken) => (client: pg.PoolClient) => {
  taken(undefined, client, client.release.bind(client));
};
const onRefused = (taken: Taken) => (error: unknown) => {
  taken(error instanceof Error ? error : new Error(String(error)), undefined, () => undefined);
};

/** Places, so many for each partner. Whoever waited longest takes the one that is given back. */
type Shares = { take(partner: string): Promise<undefined> | undefined; give(partner: string): void };

function createShares(share: number, waitMs: number): Shares {
  const held = new Map<string, { count: number; readonly waiting: Set<() => void> }>();
  return {
    take(partner) {
      const places = held.get(partner) ?? { count: 0, waiting: new Set<() => void>() };
      held.set(partner, places);
      if (places.count < share) {
        places.count += 1;
        return undefined;
      }
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      const go = (): void => {
        clearTimeout(timer);
        resolve(undefined);
      };
      const timer = setTimeout(() => {
        places.waiting.delete(go);
        reject(new Error('timeout exceeded when trying to connect: the partner holds its share of the pool'));
      }, waitMs);
      places.waiting.add(go);
      return promise;
    },
    give(partner) {
      const places = held.get(partner);
      if (places === undefined) return;
      const [next] = places.waiting;
      if (next === undefined) {
        places.count -= 1;
        if (places.count === 0) held.delete(partner);
        return;
      }
      places.waiting.delete(next);
      next();
    },
  };
}
