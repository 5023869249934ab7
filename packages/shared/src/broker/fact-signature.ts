import { createHmac, timingSafeEqual } from 'node:crypto';
import { madeAtMs } from '../identities/uuid-time.ts';
import { RETENTION_DAYS } from '../postgres/schema.ts';
import { wallClockMs } from '../time/wall-clock.ts';
import { routeOf, type FactRoutes } from './topology.ts';

/** The signed data. The aggregate's version is in the body. */
export type SignedFact = {
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: string;
  readonly body: Buffer;
};

/** A key that a producer shares with a single consumer. */
export type FactKey = { readonly id: string; readonly key: Buffer };

/** A producer's signing keys, by consumer. */
export type SigningKeys = ReadonlyMap<string, FactKey>;
/** A consumer's trusted keys, by producer and key id. There are several per producer during a key rotation. */
export type VerificationKeys = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

/** Why verification failed; undefined if it succeeded. */
export type VerifyFact = (fact: SignedFact, signature: string | undefined) => string | undefined;

/** `<key id>:<HMAC-SHA256, base64url>` for one consumer. See decisions/broker-trust. */
export function signFact(fact: SignedFact, producer: string, consumer: string, { id, key }: FactKey): string {
  return `${id}:${macOf(fact, producer, consumer, key).toString('base64url')}`;
}

/** A day less than the inbox remembers a message for: clocks differ, and a copy must find it there. */
const BELIEVED_DAYS = RETENTION_DAYS - 1;
const DAY_MS = 86_400_000;

/**
 * Accepts only what the owner of a type signed for this consumer, and only while the inbox would know a copy of it: an older one would
 * take effect again.
 */
export function factVerifier(facts: FactRoutes, consumer: string, keys: VerificationKeys): VerifyFact {
  return (fact, signature) => {
    const route = routeOf(facts, fact.type);
    if (route?.consumers.includes(consumer) !== true) return `${consumer} is not a consumer of this type`;
    if (signature === undefined) return 'it is not signed';
    const separator = signature.indexOf(':');
    const key = keys.get(route.owner)?.get(signature.slice(0, Math.max(0, separator)));
    if (key === undefined) return `it is signed with an unknown key of ${route.owner}`;
    const given = Buffer.from(signature.slice(separator + 1), 'base64url');
    const expected = macOf(fact, route.owner, consumer, key);
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isGenuine) return `the signature of ${route.owner} does not match`;
    const nowMs = wallClockMs();
    const ageMs = nowMs - (madeAtMs(fact.messageId) ?? nowMs);
    return ageMs > BELIEVED_DAYS * DAY_MS ? `it is older than ${String(BELIEVED_DAYS)} days` : undefined;
  };
}

/** Unambiguous: one line of JSON, which contains no line break, then the bytes of the body. */
function macOf(fact: SignedFact, producer: string, consumer: string, key: Buffer): Buffer {
  const { messageId, type, aggregateId, occurredAt, body } = fact;
  const head = JSON.stringify(['fact 1', producer, consumer, type, messageId, aggregateId, occurredAt]);
  return createHmac('sha256', key).update(`${head}\n`).update(body).digest();
}
