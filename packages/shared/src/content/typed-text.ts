import { z } from 'zod';
import { isBlank, NOT_BLANK } from '../text/blank.ts';
import { forbiddenContent } from './forbidden-content.ts';

/** Who types a text. */
type Author = 'partner' | 'operator';

/** Every schema of a text that somebody types, with its author: a test types forbidden content wherever a request has one. */
export const typedTexts = z.registry<{ readonly by: Author }>();

export const FORBIDDEN_CONTENT = 'must not contain a card number, its code, a wallet address, a key, a seed phrase or bank details';

/** As a JSON Schema says it: no control characters, and not only whitespace. */
export const TEXT_PATTERN = '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$';

/**
 * The schema of a text that a person types and that is kept, of at most `max` characters as people count them. To declare a
 * field with it is all there is to do: it refuses forbidden content, and is in `typedTexts`. Identifiers (`orderID`, `customerID`, an
 * Idempotency-Key) are no typed texts: a partner's own numbering is not judged, and people see long runs of digits masked
 * (`masked-digits.ts`).
 *
 * Content is checked last, and only where the length is right: nothing is searched that will be refused anyway. Messages
 * never repeat the value.
 */
export function typedText(by: Author, max: number) {
  const schema = z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .refine((value) => !isBlank(value), { error: NOT_BLANK, abort: true })
    .refine((value) => [...value].length <= max, { error: `must be at most ${String(max)} characters`, abort: true })
    .refine((value) => !/\p{Cc}/u.test(value), { error: 'must not contain control characters', abort: true })
    .refine((value) => mayKeep(value, by), FORBIDDEN_CONTENT)
    .meta({ minLength: 1, maxLength: max, pattern: TEXT_PATTERN });
  typedTexts.add(schema, { by });
  return schema;
}

/** A buyer may be told which account their payment is for; staff must not write down anybody's account. */
function mayKeep(value: string, by: Author): boolean {
  const found = forbiddenContent(value);
  return found === undefined || (found === 'bank details' && by === 'partner');
}
