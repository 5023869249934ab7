import { startConsumer, type Consumer, type Handle } from '../broker/consume.ts';
import { keepDeadLetter } from '../broker/dead-letters.ts';
import { factVerifier, type SigningKeys, type VerificationKeys } from '../broker/fact-signature.ts';
import type { FactRoutes } from '../broker/topology.ts';
import type { Db } from '../database/database.ts';
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
};

type Context = { readonly service: string; readonly databaseUrl: string; readonly db: Db; readonly log: Log };

export async function startBroker(
  { url, facts, signingKeys, verificationKeys, handlers }: BrokerPart,
  { service, databaseUrl, db, log }: Context,
): Promise<{ readonly relay?: Relay; readonly consumer?: Consumer }> {
  // Who owns no type says nothing, and may have no exchange (ADR 0091).
  const isProducer = Object.values(facts).some(({ owner }) => owner === service);
  const keys = signingKeys ?? new Map();
  const said = isProducer ? { relay: await startRelay({ databaseUrl, amqpUrl: url, service, facts, keys, log }) } : {};
  if (handlers === undefined) return said;
  const consumer = await startConsumer({
    url,
    service,
    facts,
    handlers,
    verify: factVerifier(facts, service, verificationKeys ?? new Map()),
    log,
    keepDead: (message) => keepDeadLetter(db, message),
  });
  return { ...said, consumer };
}
