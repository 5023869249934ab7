import { Pool } from 'undici';
import type { Log } from '../logging/logger.ts';
import { afterCall, HEALTHY, mayProbe, whileProbed, type Health, type Outcome } from './health.ts';

/** A replica that a call may be sent to. */
export type Candidate = {
  readonly pool: Pool;
  /** Must be called once for each call that was sent to it. */
  report(outcome: Outcome): void;
};

/** The replicas of a service, each with a pool of kept-alive connections. */
export type Replicas = {
  /**
   * Round robin; skipped replicas come last. One of them comes first if this call should probe it: then the first of
   * the list must be tried. `isHedged`: the call is soon sent to another replica if this one is silent.
   */
  inTurn(isHedged: boolean): Candidate[];
  close(): Promise<void>;
};

/** What all lanes of a service know about its replicas: a frozen replica is frozen for all of them. */
export type Healths = {
  isIn(replica: number): boolean;
  /** Takes the only place for a probe, if the replica may be probed now. */
  probe(replica: number, isHedged: boolean): boolean;
  report(replica: number, outcome: Outcome, isProbe: boolean): void;
};

const CONNECT_MS = 1_000;
/** Shorter than the services keep an idle connection (65 s), so that none is closed during a request. */
const KEEP_ALIVE_MS = 30_000;

export function createHealths(service: string, urls: readonly string[], log: Log): Healths {
  const healths: Health[] = urls.map(() => HEALTHY);
  const healthOf = (replica: number) => healths[replica] ?? HEALTHY;
  const isIn = (replica: number) => healthOf(replica).out === undefined;
  return {
    isIn,
    probe(replica, isHedged) {
      const isDue = mayProbe(healthOf(replica), performance.now(), isHedged);
      if (isDue) healths[replica] = whileProbed(healthOf(replica));
      return isDue;
    },
    report(replica, outcome, isProbe) {
      const wasIn = isIn(replica);
      const isLast = urls.every((_url, other) => other === replica || !isIn(other));
      healths[replica] = afterCall(healthOf(replica), outcome, { now: performance.now(), isProbe, isLast });
      if (wasIn === isIn(replica)) return;
      const about = { target: service, replica: urls[replica] };
      if (wasIn) log.warn('replica does not answer, skipping it', about);
      else log.info('replica answers again', about);
    },
  };
}

export function createReplicas(urls: readonly string[], healths: Healths, connectionsPerReplica: number): Replicas {
  const pools = urls.map(
    (url) =>
      new Pool(url, {
        connections: connectionsPerReplica,
        pipelining: 1,
        connect: { timeout: CONNECT_MS },
        // Each call has its own deadline.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
      }),
  );
  const replicas = pools.map((pool, index) => ({ pool, index }));
  let turn = 0;
  return {
    inTurn(isHedged) {
      turn = (turn + 1) % replicas.length;
      const order = [...replicas.slice(turn), ...replicas.slice(0, turn)];
      const probed = order.find(({ index }) => healths.probe(index, isHedged));
      const rank = (replica: { index: number }) => (replica === probed ? 0 : healths.isIn(replica.index) ? 1 : 2);
      if (order.length > 1) order.sort((a, b) => rank(a) - rank(b));
      return order.map((replica) => ({
        pool: replica.pool,
        report: (outcome) => {
          healths.report(replica.index, outcome, replica === probed);
        },
      }));
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
