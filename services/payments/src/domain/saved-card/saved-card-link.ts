const DAY_MS = 86_400_000;
/** Longer than the longest period between two charges, so that one visit a year keeps the link alive. */
const KEPT_MS = 400 * DAY_MS;
/** The page of an ended card is shown for as long as the page of an ended payment. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/**
 * The new expiry of a buyer's link to a saved card that was opened at `now`: an unused link expires, and one in use lives
 * as long as the card. Undefined: unchanged. The stored expiry may be a month off, so that not every visit writes.
 */
export function nextLinkExpiry(expiresAt: Date, isActive: boolean, now: Date): Date | undefined {
  const kept = new Date(now.getTime() + (isActive ? KEPT_MS : KEPT_AFTER_END_MS));
  if (!isActive) return expiresAt > kept ? kept : undefined;
  return kept.getTime() - expiresAt.getTime() > 30 * DAY_MS ? kept : undefined;
}
