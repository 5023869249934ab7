import { createHmac } from 'node:crypto';
import { FACTS } from '../../packages/contract/src/facts.ts';

/**
 * The keys that one service signs and verifies facts with, by the names of its configuration: one key for each producer
 * and consumer, derived from a secret that only the setup step knows.
 */
export function factKeysOf(service: string, secret: string): Record<string, string> {
  const pairs = Object.values(FACTS).flatMap(({ owner, consumers }) => consumers.map((consumer): [string, string] => [owner, consumer]));
  const entry = (other: string, owner: string, consumer: string) =>
    `${other}:k1:${createHmac('sha256', secret).update(`${owner} to ${consumer}`).digest('base64')}`;
  const signing = pairs.filter(([owner]) => owner === service).map(([, consumer]) => entry(consumer, service, consumer));
  const verification = pairs.filter(([, consumer]) => consumer === service).map(([owner]) => entry(owner, owner, service));
  return {
    ...(signing.length === 0 ? {} : { FACT_SIGNING_KEYS: [...new Set(signing)].join(',') }),
    ...(verification.length === 0 ? {} : { FACT_VERIFICATION_KEYS: [...new Set(verification)].join(',') }),
  };
}
