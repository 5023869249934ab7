const DAY_MS = 86_400_000;
/** Longer than the longest period between two charges, so that a look once a year keeps the link. */
const KEPT_MS = 400 * DAY_MS;
/** An ended card's page says so for as long as the page of an ended payment is shown. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/**
 * Until when a buyer's link to a saved card opens, after it was opened now: one that nobody uses dies, one that is used lives
 * as long as the card. Undefined: as it was, which may be a month off, so that not every look writes.
 */
export function nextLinkExpiry(expiresAt: Date, isActive: boolean, now: Date): Date | undefined {
  const kept = new Date(now.getTime() + (isActive ? KEPT_MS : KEPT_AFTER_END_MS));
  if (!isActive) return expiresAt > kept ? kept : undefined;
  return kept.getTime() - expiresAt.getTime() > 30 * DAY_MS ? kept : undefined;
}
