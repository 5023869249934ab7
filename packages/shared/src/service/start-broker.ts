import { startConsumer, type Consumer, type Handle } from '../broker/consume.ts';
import { keepDeadLetter, watchDeadLetters } from '../broker/dead-letters.ts';
import { factVerifier, type SigningKeys, type VerificationKeys } from '../broker/fact-signature.ts';
import type { FactRoutes } from '../broker/topology.ts';
import { watchFacts, type FactsWatch } from '../facts/watch.ts';
import type { Owners } from '../facts/owners.ts';
import { partitionsLoop } from '../postgres/partitions.ts';
import type { Loop } from '../time/loop.ts';
import type { Db } from '../postgres/db.ts';
import type { Log } from '../logging/logger.ts';
import { startRelay, type Relay } from '../outbox/relay.ts';

/**
 * A service's part in facts: its outbox is relayed and the named messages are consumed. Those that cannot be handled or
 * verified become rows of `dead_letters`.
 */
export type BrokerPart = {
  readonly url: string;
  readonly facts: FactRoutes;
  /** Absent if a service publishes nothing. */
  readonly signingKeys?: SigningKeys;
  /** Absent if a service consumes nothing. */
  readonly verificationKeys?: VerificationKeys;
  readonly handlers?: Readonly<Record<string, Handle>>;
  /** The services that can republish lost facts; with `handlers`. */
  readonly owners?: Owners;
};

type Context = { readonly service: string; readonly databaseUrl: string; readonly db: Db; readonly log: Log };

/** What runs until the service stops. */
export type StartedBroker = {
  readonly relay?: Relay;
  readonly consumer?: Consumer;
  readonly loops: readonly Loop[];
  /** Why facts are not being published or received, one sentence each. */
  readonly problems: () => readonly string[];
  /** Closes the clients of other services, after the loops. */
  readonly close: () => Promise<void>;
};

/** For a service without facts, or before they are started. */
export const NO_BROKER: StartedBroker = { loops: [], problems: () => [], close: () => Promise.resolve() };

export async function startBroker(part: BrokerPart, context: Context): Promise<StartedBroker> {
  const { url, facts, signingKeys, verificationKeys, handlers, owners } = part;
  const { service, databaseUrl, db, log } = context;
  // A service that owns no type publishes nothing, and may have no exchange (decisions/broker-trust).
  const isProducer = Object.values(facts).some(({ owner }) => owner === service);
  const keys = signingKeys ?? new Map();
  const relay = isProducer ? await startRelay({ databaseUrl, amqpUrl: url, service, facts, keys, log }) : undefined;
  const consumer =
    handlers === undefined
      ? undefined
      : await startConsumer({
          url,
          service,
          facts,
          handlers,
          verify: factVerifier(facts, service, verificationKeys ?? new Map()),
          log,
          keepDead: (message) => keepDeadLetter(db, message),
        });
  const watch: FactsWatch | undefined =
    consumer === undefined || owners === undefined ? undefined : watchFacts({ db, owners, consumer, log });
  return {
    ...(relay === undefined ? {} : { relay }),
    ...(consumer === undefined ? {} : { consumer }),
    loops: [
      ...(isProducer ? [partitionsLoop(db, 'published')] : []),
      ...(consumer === undefined ? [] : [watchDeadLetters(db)]),
      ...(watch === undefined ? [] : [watch.loop]),
    ],
    problems: () => [...(relay?.problems() ?? []), ...(watch?.problems() ?? [])],
    close: async () => owners?.close(),
  };
}
