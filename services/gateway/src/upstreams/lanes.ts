import { createBreaker, type Breaker } from '@pay/shared/breaker/breaker.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { createReplicas, type Replicas } from './replicas.ts';

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
};

type Unanswered = {
  /** The time for it was over. */
  readonly isLate: boolean;
  /** Bytes of the request may have left: nobody here knows what became of it. */
  readonly wasSent: boolean;
};

/** A call that got no answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly isLate: boolean;
  readonly wasSent: boolean;

  constructor({ isLate, wasSent }: Unanswered, cause?: unknown) {
    super(isLate ? 'the service did not answer in time' : 'the service did not answer', { cause });
    this.isLate = isLate;
    this.wasSent = wasSent;
  }
}

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

/** The lanes of one service. Nothing is shared between two of them. */
export function createLanes(service: string, urls: readonly string[], deadlineMs: number): Lanes {
  const create = (name: LaneName): Lane => {
    const { connectionsPerReplica, waiting, partnersShare } = BOUNDS[name];
    const total = connectionsPerReplica * urls.length + waiting;
    return {
      name,
      replicas: createReplicas(urls, connectionsPerReplica, deadlineMs),
      breaker: createBreaker({
        name: `${service} ${name}`,
        // A bank that is slow says nothing about the service that asked it.
        ...(name === 'outside' ? { isHealthy: (error) => error instanceof NoAnswerError && error.isLate } : {}),
      }),
      inFlight: createInFlight({ total, perPartner: Math.floor(total * partnersShare) }),
    };
  };
  return { read: create('read'), command: create('command'), outside: create('outside') };
}
