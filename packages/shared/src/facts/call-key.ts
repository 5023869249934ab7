import { createHmac } from 'node:crypto';
import type { FactKey } from '../broker/fact-signature.ts';

/**
 * The key that signs a consumer's calls to a producer. It is derived from the key that the two share for facts, so that
 * a consumer can speak only for itself and needs no key of the producer's other callers. See decisions/lost-messages.
 */
export const callKeyOf = ({ key }: Pick<FactKey, 'key'>): Buffer => createHmac('sha256', key).update('calls about facts 1').digest();

/** The audience of those calls' tokens. */
export const factsAudience = (producer: string): string => `${producer}-facts`;
