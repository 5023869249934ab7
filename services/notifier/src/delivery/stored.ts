import { atMostEvery } from '@pay/shared/time/at-most-every.ts';
import { createPause, type Pause } from '@pay/shared/time/pause.ts';

/** Tells streams that events were stored, by this replica or another. */
export type Stored = {
  /** This replica stored events. Called as often as one likes. */
  readonly here: () => void;
  /** Another one did. */
  readonly elsewhere: () => void;
  subscribe(): { readonly news: Pause; readonly unsubscribe: () => void };
};

/** Streams look at most this often: each look is a statement or two. */
const WAKE_MS = 50;

/** @param announce - tells the other replicas */
export function createStored(announce: () => void): Stored {
  const all = new Set<Pause>();
  const elsewhere = atMostEvery(WAKE_MS, () => {
    for (const news of all) news.wake();
  });
  return {
    here() {
      elsewhere();
      announce();
    },
    elsewhere,
    subscribe() {
      const news = createPause();
      all.add(news);
      return { news, unsubscribe: () => all.delete(news) };
    },
  };
}
