import { createBreaker, type Breaker } from '../breaker/breaker.ts';
import type { Log } from '../logging/logger.ts';
import { createHedges, type Hedges } from './hedges.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { NoAnswerError } from './no-answer.ts';
import { createHealths, createReplicas, type Replicas } from './replicas.ts';

/**
 * What a call waits for, which decides which other calls it may hold up (decisions/bulkheads):
 * - `read`: the service's database, without changing anything;
 * - `command`: the same, with a change;
 * - `outside`: a third party, such as a bank or a name server;
 * - `stream`: whatever happens next, for as long as the response goes on (decisions/event-stream).
 */
export type LaneName = 'read' | 'command' | 'outside' | 'stream';

/** Connections, circuit breaker and limits of one kind of call to one service: a bulkhead. */
export type Lane = {
  readonly name: LaneName;
  readonly replicas: Replicas;
  readonly breaker: Breaker;
  readonly inFlight: InFlight;
  /** For calls that may be sent to a second replica. */
  readonly hedges: Hedges | undefined;
};

type Bounds = {
  readonly connectionsPerReplica: number;
  /** Calls that may wait for a connection, over all replicas. */
  readonly waiting: number;
  /** The share of all calls in flight that one partner may have. */
  readonly partnersShare: number;
};

/**
 * A read takes milliseconds, so 64 connections serve thousands of reads per second, and a short queue absorbs peaks. A
 * call that waits outside may take ten seconds: it has many connections and no queue, because its caller had better
 * come back later. Streams last: the share of a partner is eight for each replica.
 */
const BOUNDS: Readonly<Record<LaneName, Bounds>> = {
  read: { connectionsPerReplica: 64, waiting: 192, partnersShare: 0.5 },
  command: { connectionsPerReplica: 32, waiting: 96, partnersShare: 0.5 },
  outside: { connectionsPerReplica: 256, waiting: 0, partnersShare: 0.5 },
  stream: { connectionsPerReplica: 64, waiting: 0, partnersShare: 0.125 },
};

export type Lanes = Readonly<Record<LaneName, Lane>>;

/** The lanes of one service. They share only what they know about the replicas (decisions/replicas). */
export function createLanes(service: string, urls: readonly string[], log: Log): Lanes {
  const healths = createHealths(service, urls, log);
  const create = (name: LaneName): Lane => {
    const { connectionsPerReplica, waiting, partnersShare } = BOUNDS[name];
    const total = connectionsPerReplica * urls.length + waiting;
    const inFlight = createInFlight({ total, perPartner: Math.floor(total * partnersShare) });
    return {
      name,
      replicas: createReplicas(urls, healths, connectionsPerReplica),
      breaker: createBreaker({
        name: `${service} ${name}`,
        // A slow bank says nothing about the service that called it.
        ...(name === 'outside' ? { isHealthy: (error) => error instanceof NoAnswerError && error.isLate } : {}),
      }),
      inFlight,
      // Another replica would not answer an outside call sooner, and a stream is open at one.
      hedges: name === 'outside' || name === 'stream' ? undefined : createHedges(() => inFlight.count),
    };
  };
  return { read: create('read'), command: create('command'), outside: create('outside'), stream: create('stream') };
}
