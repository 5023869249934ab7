import { startConsumer, type Consumer, type Handle } from '../broker/consume.ts';
import { keepDeadLetter } from '../broker/dead-letters.ts';
import { factVerifier, type SigningKeys, type VerificationKeys } from '../broker/fact-signature.ts';
import type { FactRoutes } from '../broker/topology.ts';
import { watchFacts, type FactsWatch } from '../facts/watch.ts';
import type { Owners } from '../facts/owners.ts';
import { publishedLoop } from '../outbox/published.ts';
import type { Loop } from '../time/loop.ts';
import type { Db } from '../postgres/db.ts';
import type { Log } from '../logging/logger.ts';
import { startRelay, type Relay } from '../outbox/relay.ts';

/**
 * What a service has to do with facts: its outbox is relayed, and the messages that are named are consumed; those that
 * cannot be handled, or are not believed, become rows of `dead_letters`.
 */
export type BrokerPart = {
  readonly url: string;
  readonly facts: FactRoutes;
  /** Absent where a service says nothing. */
  readonly signingKeys?: SigningKeys;
  /** Absent where a service hears nothing. */
  readonly verificationKeys?: VerificationKeys;
  readonly handlers?: Readonly<Record<string, Handle>>;
  /** Of whom a service hears, to be asked for what never came; with `handlers`. */
  readonly owners?: Owners;
};

type Context = { readonly service: string; readonly databaseUrl: string; readonly db: Db; readonly log: Log };

/** What runs of it until the service stops. */
export type StartedBroker = {
  readonly relay?: Relay;
  readonly consumer?: Consumer;
  readonly loops: readonly Loop[];
  /** Why facts do not leave or come, in a sentence each. */
  readonly problems: () => readonly string[];
  /** Ends what was asked of others, after the loops. */
  readonly close: () => Promise<void>;
};

/** Of a service that has nothing to do with facts, or before it has. */
export const NO_BROKER: StartedBroker = { loops: [], problems: () => [], close: () => Promise.resolve() };

export async function startBroker(part: BrokerPart, context: Context): Promise<StartedBroker> {
  const { url, facts, signingKeys, verificationKeys, handlers, owners } = part;
  const { service, databaseUrl, db, log } = context;
  // Who owns no type says nothing, and may have no exchange (ADR 0091).
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
    loops: [...(isProducer ? [publishedLoop(db)] : []), ...(watch === undefined ? [] : [watch.loop])],
    problems: () => [...(relay?.problems() ?? []), ...(watch?.problems() ?? [])],
    close: async () => owners?.close(),
  };
}
