/** How the code of a failure begins that is about one recipient, and says nothing about the mail server. */
export const ABOUT_RECIPIENT = 'RCPT TO';

/** What came of an attempt to send a letter. `code` is an SMTP reply or an error's name; never a text, which may repeat the address. */
export type Attempted =
  | { readonly kind: 'sent' }
  /** The mail server will never take this letter: the address does not exist, or it refuses what is in it. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The letter was handed over whole, and the mail server did not say whether it took it: the buyer may have it. */
  | { readonly kind: 'unanswered'; readonly code: string }
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

/** A server that takes longer to answer than we wait takes the letter each time: the buyer gets it so often, not for three days. */
const UNANSWERED_ATTEMPTS_MAX = 3;

/** What to do after an attempt. @param ageMs since the buyer asked for the letter */
export function decideLetter(
  attempted: Attempted,
  { attemptCount, ageMs }: { readonly attemptCount: number; readonly ageMs: number },
): LetterDecision {
  if (attempted.kind === 'sent') return { kind: 'end', status: 'SENT' };
  if (attempted.kind === 'refused') return { kind: 'end', status: 'REFUSED' };
  if (attempted.kind === 'unanswered' && attemptCount >= UNANSWERED_ATTEMPTS_MAX)
    return { kind: 'end', status: 'GIVEN_UP' };
  const inMs = PAUSES_MS[attemptCount - 1] ?? 3 * HOUR_MS;
  return ageMs + inMs >= LETTER_LIVES_MS ? { kind: 'end', status: 'GIVEN_UP' } : { kind: 'again', inMs };
}
