import { createHash } from 'node:crypto';
import type { SigningKeys, VerificationKeys } from '../src/broker/fact-signature.ts';
import { servicesOf, type FactRoutes } from '../src/broker/topology.ts';

const keyOf = (producer: string, consumer: string): Buffer => createHash('sha256').update(`${producer} to ${consumer}`).digest();

/** The keys with which a test's producer signs. */
export function signingKeysOf(facts: FactRoutes, producer: string): SigningKeys {
  return new Map(servicesOf(facts).map((consumer) => [consumer, { id: 'k1', key: keyOf(producer, consumer) }]));
}

/** The keys with which a test's consumer verifies. */
export function verificationKeysOf(facts: FactRoutes, consumer: string): VerificationKeys {
  return new Map(servicesOf(facts).map((producer) => [producer, new Map([['k1', keyOf(producer, consumer)]])]));
}
