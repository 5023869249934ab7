import { Pool } from 'undici';
import type { Log } from '../logging/logger.ts';
import { afterCall, HEALTHY, mayProbe, whileProbed, type Health, type Outcome } from './health.ts';

/** A replica that a call may be sent to. */
export type Candidate = {
  /** The connections to send a call by. The call counts as in flight until `report`, which must follow once. */
  begin(): Pool;
  /** A response began that will go on: the replica is well, and the call stays in flight. */
  opened(): void;
  /** @param isRefused the replica responded, and would not serve the call */
  report(outcome: Outcome, isRefused: boolean): void;
};

/** The replicas of a service, each with a pool of kept-alive connections. */
export type Replicas = {
  /**
   * The one with the fewest calls in flight first, in turn among equals (decisions/replicas); skipped replicas come
   * last. One of them comes first if this call should probe it: then the first of the list must be tried. `isHedged`:
   * the call is soon sent to another replica if this one is silent.
   */
  inOrder(isHedged: boolean): Candidate[];
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
/** So long a call that failed still counts as in flight: a replica that fails at once would look idle and get every call. */
const ERROR_COUNTS_MS = 1_000;

type Replica = {
  readonly pool: Pool;
  readonly index: number;
  inFlight: number;
  /** When each recent error stops counting, oldest first (monotonic milliseconds). */
  readonly errorsUntil: number[];
};

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
  const replicas = pools.map((pool, index): Replica => ({ pool, index, inFlight: 0, errorsUntil: [] }));
  let first = 0;
  return {
    inOrder(isHedged) {
      first = (first + 1) % replicas.length;
      const order = [...replicas.slice(first), ...replicas.slice(0, first)];
      const probed = order.find(({ index }) => healths.probe(index, isHedged));
      const rank = (replica: Replica) =>
        replica === probed ? -1 : healths.isIn(replica.index) ? loadOf(replica) : Number.MAX_SAFE_INTEGER;
      // The sort is stable: equals take turns.
      if (order.length > 1) order.sort((a, b) => rank(a) - rank(b));
      return order.map((replica) => ({
        begin: () => {
          replica.inFlight += 1;
          return replica.pool;
        },
        opened: () => {
          healths.report(replica.index, 'answered', replica === probed);
        },
        report: (outcome, isRefused) => {
          replica.inFlight -= 1;
          // Where there is no choice, nobody would read them.
          if (replicas.length > 1 && (isRefused || outcome === 'failed')) replica.errorsUntil.push(performance.now() + ERROR_COUNTS_MS);
          healths.report(replica.index, outcome, replica === probed);
        },
      }));
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

function loadOf({ inFlight, errorsUntil }: Replica): number {
  const now = performance.now();
  while (errorsUntil[0] !== undefined && errorsUntil[0] <= now) errorsUntil.shift();
  return inFlight + errorsUntil.length;
}
