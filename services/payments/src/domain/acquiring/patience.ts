const HOUR_MS = 3_600_000;
/** Of what the bank says that nobody understands, or that it does not know; of what it calls undecided, or does not answer. */
const PATIENCE_MS = { strange: HOUR_MS, open: 24 * HOUR_MS } as const;

type Answered = { readonly kind: string; readonly isAnswered?: boolean };

/** Whether the bank answered something that cannot be acted upon, however often it is asked: only a person can find out more. */
export const isStrange = ({ kind, isAnswered }: Answered): boolean => kind === 'absent' || (kind === 'unknown' && isAnswered === true);

/**
 * Whether an operation that has no end at `now` is a person's business: an hour after `since` if what the bank says is strange, a day if it
 * only takes long, or the bank does not answer.
 */
export function isOverdue(result: Answered, since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() >= PATIENCE_MS[isStrange(result) ? 'strange' : 'open'];
}
