import { createBreaker, type Breaker } from '../breaker/breaker.ts';
import type { Log } from '../logging/logger.ts';
import { createHedges, type Hedges } from './hedges.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { NoAnswerError } from './no-answer.ts';
import { createHealths, createReplicas, type Replicas } from './replicas.ts';

/**
 * What a call waits for, and so which calls it may be in the way of (ADR 0077):
 * - `read`: the service's database, and changes nothing;
 * - `command`: the same, and changes something;
 * - `outside`: somebody whom nobody here can hurry, a bank or a name server.
 */
export type LaneName = 'read' | 'command' | 'outside';

/** Connections, breaker and bounds of the calls of one kind to one service: a bulkhead. */
export type Lane = {
  readonly name: LaneName;
  readonly replicas: Replicas;
  readonly breaker: Breaker;
  readonly inFlight: InFlight;
  /** Where calls that may be repeated are asked of a second replica. */
  readonly hedges: Hedges | undefined;
};

type Bounds = {
  readonly connectionsPerReplica: number;
  /** Calls that may wait for a connection, over all replicas. */
  readonly waiting: number;
  /** Of all calls in flight, how much one partner may have. */
  readonly partnersShare: number;
};

/**
 * A read takes milliseconds, so 64 connections are thousands of reads a second, and a short line takes the peaks. A call that waits
 * outside may take ten seconds: it has many connections and no line, because who would stand in it is better told to
 * come back.
 */
const BOUNDS: Readonly<Record<LaneName, Bounds>> = {
  read: { connectionsPerReplica: 64, waiting: 192, partnersShare: 0.5 },
  command: { connectionsPerReplica: 32, waiting: 96, partnersShare: 0.5 },
  outside: { connectionsPerReplica: 256, waiting: 0, partnersShare: 0.5 },
};

export type Lanes = Readonly<Record<LaneName, Lane>>;

/** The lanes of one service. Nothing is shared between two of them but what they know of the replicas (ADR 0111). */
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
        // A bank that is slow says nothing about the service that asked it.
        ...(name === 'outside' ? { isHealthy: (error) => error instanceof NoAnswerError && error.isLate } : {}),
      }),
      inFlight,
      // What waits outside is not answered sooner by another.
      hedges: name === 'outside' ? undefined : createHedges(() => inFlight.count),
    };
  };
  return { read: create('read'), command: create('command'), outside: create('outside') };
}
