import { createHmac } from 'node:crypto';
import type { FactKey } from '../broker/fact-signature.ts';

/**
 * What a consumer's calls to a producer are signed with: made from the key that these two share for facts, so that a
 * consumer is believed about itself only, and needs no key of the producer's other callers. ADR 0123.
 */
export const callKeyOf = ({ key }: Pick<FactKey, 'key'>): Buffer =>
  createHmac('sha256', key).update('calls about facts 1').digest();

/** Whom those calls are for. */
export const factsAudience = (producer: string): string => `${producer}-facts`;
