import { z } from 'zod';
import { forbiddenContent } from './forbidden-content.ts';

/**
 * Every text that a person types and that is kept: who may type it, and how long it may be (in characters as people count
 * them). The one list: a schema takes its texts from here, and a test types forbidden content into each of them through
 * every way in. Identifiers (`orderID`, `customerID`, an Idempotency-Key) are not here: somebody's own numbering is not
 * judged, and people see long runs of digits masked (`masked-digits.ts`).
 */
export const TYPED_TEXTS = {
  'payment.description': { by: 'partner', max: 140 },
  'consent.reference': { by: 'partner', max: 128 },
  'consent.version': { by: 'partner', max: 128 },
  'receipt.item': { by: 'partner', max: 128 },
  'refund.reason': { by: 'partner', max: 140 },
  'held-back.reason': { by: 'operator', max: 140 },
  'exception.note': { by: 'operator', max: 1_000 },
  'store.name': { by: 'operator', max: 128 },
  'point.name': { by: 'operator', max: 128 },
  'partner.name': { by: 'operator', max: 140 },
  'key.comment': { by: 'operator', max: 256 },
  'operator.name': { by: 'operator', max: 140 },
  'withdrawal.reason': { by: 'operator', max: 140 },
  'beneficiary.label': { by: 'operator', max: 140 },
  'funding.reference': { by: 'operator', max: 140 },
} as const satisfies Record<string, { readonly by: 'partner' | 'operator'; readonly max: number }>;
export type TypedText = keyof typeof TYPED_TEXTS;

export const FORBIDDEN_CONTENT = 'must not contain a card number, its code, a wallet address, a key, a seed phrase or bank details'; // prettier-ignore

/**
 * The schema of a text that is typed. Its content is judged last, and only where its length is right: nothing is searched
 * that will be refused anyway. Messages never repeat the value.
 */
export function typedText(name: TypedText) {
  const { by, max } = TYPED_TEXTS[name];
  return z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .refine((value) => value.trim() !== '', { error: 'must not be empty', abort: true })
    .refine((value) => [...value].length <= max, { error: `must be at most ${String(max)} characters`, abort: true })
    .refine((value) => !/\p{Cc}/u.test(value), { error: 'must not contain control characters', abort: true })
    .refine((value) => mayKeep(value, by), FORBIDDEN_CONTENT)
    .meta({ minLength: 1, maxLength: max });
}

/** A buyer may be told which account his payment is for; staff writes down nobody's account. */
function mayKeep(value: string, by: 'partner' | 'operator'): boolean {
  const found = forbiddenContent(value);
  return found === undefined || (found === 'bank details' && by === 'partner');
}
