import type pg from 'pg';
import { databaseConnections, databaseDuration } from '../../telemetry/metrics.ts';

const pools = new Map<pg.Pool, string>();

/**
 * Counts a pool's connections at each scrape, and measures how long each is held: the time that a transaction, or a
 * statement on the pool, takes. Returns what ends that. `name` is a label: a program and what the pool is for.
 */
export function measurePool(pool: pg.Pool, name: string): () => void {
  const heldSince = new WeakMap<pg.PoolClient, number>();
  pool.on('acquire', (client) => {
    heldSince.set(client, performance.now());
  });
  pool.on('release', (error, client) => {
    const since = heldSince.get(client);
    if (since === undefined) return;
    const result = isBroken(error) ? 'broken' : 'done';
    databaseDuration.observe({ pool: name, result }, (performance.now() - since) / 1_000);
  });
  pools.set(pool, name);
  return () => void pools.delete(pool);
}

/** Whoever gives a connection back says that it is broken with an error, or with `true` (`withConnection`). */
const isBroken = (error: unknown): boolean => error !== undefined && error !== null && error !== false;

/** Sets `database_connections`. Two pools of one name, as in a test, are added up. */
export function countConnections(): void {
  databaseConnections.reset();
  for (const [{ totalCount, idleCount, waitingCount }, pool] of pools) {
    databaseConnections.inc({ pool, state: 'used' }, totalCount - idleCount);
    databaseConnections.inc({ pool, state: 'idle' }, idleCount);
    databaseConnections.inc({ pool, state: 'waiting' }, waitingCount);
  }
}
