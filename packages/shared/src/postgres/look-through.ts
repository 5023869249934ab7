/**
 * How many rows of a partner one call of its filtered list looks at: a few milliseconds of one connection. What matches beyond
 * is on the next pages, which the page's token leads to as always. See decisions/bulkheads.
 */
export const LOOKED_AT_MAX = 2_000;

type Search<Row, Place> = {
  /** Up to `count` matching rows among the `LOOKED_AT_MAX` next. */
  readonly page: (count: number) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => Place;
  /** The place of the last of the `LOOKED_AT_MAX` next rows, whether it matches or not; undefined if there are fewer. */
  readonly lastLookedAt: () => Promise<Place | undefined>;
  /** Whether a place comes later in the list's order. */
  readonly isLater: (place: Place, than: Place) => boolean;
};

/**
 * A page of a filtered list, and the place after which the next one begins, which is undefined on the last. A page may be
 * short, or empty, and not the last: then its call looked at `LOOKED_AT_MAX` rows.
 */
export async function lookThrough<Row, Place>(
  { page, placeOf, lastLookedAt, isLater }: Search<Row, Place>,
  limit: number,
): Promise<{ readonly items: readonly Row[]; readonly next: Place | undefined }> {
  // One more than asked for shows whether there is a next page.
  const found = await page(limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const lastPlace = last === undefined ? undefined : placeOf(last);
  if (found.length > limit) return { items, next: lastPlace };
  const end = await lastLookedAt();
  // What was added at the top meanwhile has moved the end up; nothing that was found is met again.
  const isFoundLater = end !== undefined && lastPlace !== undefined && isLater(lastPlace, end);
  return { items, next: isFoundLater ? lastPlace : end };
}
