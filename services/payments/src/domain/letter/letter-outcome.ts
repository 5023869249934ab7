/** What came of an attempt to send a letter. `code` is an SMTP reply or an error's name; never a text, which may repeat the address. */
export type Attempted =
  | { readonly kind: 'sent' }
  /** The mail server will never take this letter: the address does not exist, or it refuses what is in it. */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'failed'; readonly code: string };

export type LetterDecision =
  | { readonly kind: 'end'; readonly status: 'SENT' | 'REFUSED' | 'GIVEN_UP' }
  | { readonly kind: 'again'; readonly inMs: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause after each failed attempt; the last one is repeated. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS] as const;

/** A confirmation that comes after three days says nothing new. It outlasts a mail server that is away for a weekend. */
export const LETTER_LIVES_MS = 72 * HOUR_MS;

/** What to do after an attempt. @param ageMs since the buyer asked for the letter */
export function decideLetter(
  attempted: Attempted,
  { attemptCount, ageMs }: { readonly attemptCount: number; readonly ageMs: number },
): LetterDecision {
  if (attempted.kind === 'sent') return { kind: 'end', status: 'SENT' };
  if (attempted.kind === 'refused') return { kind: 'end', status: 'REFUSED' };
  const inMs = PAUSES_MS[attemptCount - 1] ?? 3 * HOUR_MS;
  return ageMs + inMs >= LETTER_LIVES_MS ? { kind: 'end', status: 'GIVEN_UP' } : { kind: 'again', inMs };
}
