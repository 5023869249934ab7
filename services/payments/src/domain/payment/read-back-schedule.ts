import type { PaymentStatus } from '@pay/contract/states.ts';
import { isOpen } from './payment-status.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Pauses between reads of an unknown outcome; the last one repeats. Never more than eight seconds within the first minute:
 * a bank that recovers from a short outage is read within ten seconds (decisions/unknown-outcomes). See
 * spec/decisions#unknown-outcome.
 */
const PAUSES_MS = [...[1, 2, 4, 8, 8, 8, 8, 8, 8].map((seconds) => seconds * SECOND), ...[MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR]];
/** The read number at which unhurried operations start: a charge, or what the bank itself reports as undecided. */
const UNHURRIED_FROM = 8;
/** How long after the end of the session money may still arrive; later money is found by reconciliation. */
const LATE_SUCCESS_MS = 48 * HOUR;

type Awaited = { readonly status: PaymentStatus; readonly readCount: number; readonly expiresAt: Date };

/** The read number to plan with for an unhurried operation. */
export const unhurried = (readCount: number): number => Math.max(readCount, UNHURRIED_FROM);

/** The pause before read number `readCount` (from 0). */
export function pauseMs(readCount: number): number {
  return PAUSES_MS[Math.min(readCount, PAUSES_MS.length - 1)] ?? HOUR;
}

/**
 * When to read a payment next if its outcome is unknown at `now`. An open payment is read no later than the end of its
 * session; one that ended without a final word from the bank, for 48 hours after that. Null: never again.
 */
export function nextReadAt(payment: Awaited, now: Date): Date | null {
  const planned = now.getTime() + pauseMs(payment.readCount);
  const end = payment.expiresAt.getTime();
  if (!isOpen(payment.status)) return planned <= end + LATE_SUCCESS_MS ? new Date(planned) : null;
  return new Date(now.getTime() < end ? Math.min(planned, end) : planned);
}

/** How often a QR code is polled, by its age: most buyers pay at once. */
const QR_PAUSES = [
  { untilMs: 2 * MINUTE, pauseMs: 5 * SECOND },
  { untilMs: 15 * MINUTE, pauseMs: 15 * SECOND },
] as const;

/**
 * When to poll an unpaid QR code next: every 5 s in its first two minutes, every 15 s in its first quarter of an hour,
 * then every minute; at the end of its session at the latest.
 */
export function nextQrReadAt({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  const pause = QR_PAUSES.find(({ untilMs }) => ageMs < untilMs)?.pauseMs ?? MINUTE;
  return new Date(Math.min(now.getTime() + pause, expiresAt.getTime()));
}
