import { createHmac, timingSafeEqual } from 'node:crypto';
import { routeOf, type FactRoutes } from './topology.ts';

/** What a signature covers. The version of an aggregate stands in the body. */
export type SignedFact = {
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: string;
  readonly body: Buffer;
};

/** A key that a producer shares with one consumer alone. */
export type FactKey = { readonly id: string; readonly key: Buffer };

/** By consumer: what a producer signs with. */
export type SigningKeys = ReadonlyMap<string, FactKey>;
/** By producer, by key id: what a consumer believes. Several of one producer while a key is changed. */
export type VerificationKeys = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

/** Why a message is not believed; undefined for one that is. */
export type VerifyFact = (fact: SignedFact, signature: string | undefined) => string | undefined;

/** `<key id>:<HMAC-SHA256, base64url>` for one consumer. ADR 0092. */
export function signFact(fact: SignedFact, producer: string, consumer: string, { id, key }: FactKey): string {
  return `${id}:${macOf(fact, producer, consumer, key).toString('base64url')}`;
}

/** Believes what the owner of a type signed for this consumer, and nothing else. */
export function factVerifier(facts: FactRoutes, consumer: string, keys: VerificationKeys): VerifyFact {
  return (fact, signature) => {
    const route = routeOf(facts, fact.type);
    if (route?.consumers.includes(consumer) !== true) return `${consumer} is not told this type`;
    if (signature === undefined) return 'it is not signed';
    const separator = signature.indexOf(':');
    const key = keys.get(route.owner)?.get(signature.slice(0, Math.max(0, separator)));
    if (key === undefined) return `it is signed with a key that ${route.owner} is not known by`;
    const given = Buffer.from(signature.slice(separator + 1), 'base64url');
    const expected = macOf(fact, route.owner, consumer, key);
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    return isGenuine ? undefined : `it is not what ${route.owner} signed`;
  };
}

/** One reading only: a line of JSON, in which no line break can stand, and the bytes of the body. */
function macOf(fact: SignedFact, producer: string, consumer: string, key: Buffer): Buffer {
  const { messageId, type, aggregateId, occurredAt, body } = fact;
  const head = JSON.stringify(['fact 1', producer, consumer, type, messageId, aggregateId, occurredAt]);
  return createHmac('sha256', key).update(`${head}\n`).update(body).digest();
}
