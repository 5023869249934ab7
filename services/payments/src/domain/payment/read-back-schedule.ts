import type { PaymentStatus } from '@pay/contract/states.ts';
import { isOpen } from './payment-status.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Pauses between reads of an unknown outcome; the last one repeats. Within the first minute never more than eight seconds: a
 * bank that is back after less than that is heard within ten (ADR 0142). See spec/decisions#unknown-outcome.
 */
const PAUSES_MS = [
  ...[1, 2, 4, 8, 8, 8, 8, 8, 8].map((seconds) => seconds * SECOND),
  ...[MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
];
/** Where the plan begins for what nobody has to hurry: an operation that the bank itself calls undecided, a charge. */
const UNHURRIED_FROM = 8;
/** How long after the session's end money may still turn up; after that the bank's statement is the place to look. */
const LATE_SUCCESS_MS = 48 * HOUR;

type Awaited = { readonly status: PaymentStatus; readonly readCount: number; readonly expiresAt: Date };

/** The place in the plan for what need not be hurried. */
export const unhurried = (readCount: number): number => Math.max(readCount, UNHURRIED_FROM);

/** The pause before read number `readCount` (from 0). */
export function pauseMs(readCount: number): number {
  return PAUSES_MS[Math.min(readCount, PAUSES_MS.length - 1)] ?? HOUR;
}

/**
 * When to look at a payment next, when its outcome is not known at `now`. An open one is looked at when its session ends
 * at the latest; one that ended without the bank's last word for 48 hours after that. Null: never again.
 */
export function nextReadAt(payment: Awaited, now: Date): Date | null {
  const planned = now.getTime() + pauseMs(payment.readCount);
  const end = payment.expiresAt.getTime();
  if (!isOpen(payment.status)) return planned <= end + LATE_SUCCESS_MS ? new Date(planned) : null;
  return new Date(now.getTime() < end ? Math.min(planned, end) : planned);
}

/** How long after it was made a code is looked at how often: most buyers pay at once, and one in an hour at most waits. */
const QR_PAUSES = [
  { untilMs: 2 * MINUTE, pauseMs: 5 * SECOND },
  { untilMs: 15 * MINUTE, pauseMs: 15 * SECOND },
] as const;

/**
 * When to look next at a code that waits for its buyer at `now`: after 5 s in its first two minutes, 15 s in its first
 * quarter of an hour, then 1 min; when its session ends at the latest.
 */
export function nextQrReadAt({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  const pause = QR_PAUSES.find(({ untilMs }) => ageMs < untilMs)?.pauseMs ?? MINUTE;
  return new Date(Math.min(now.getTime() + pause, expiresAt.getTime()));
}
