import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { atMostEvery } from '@pay/shared/time/at-most-every.ts';
import { createPause, type Pause } from '@pay/shared/time/pause.ts';

/** Tells streams that events were stored, by this replica or another. */
export type Stored = {
  /** This replica stored events of these partners: their streams are woken. Called as often as one likes. */
  readonly here: (partnerIds: ReadonlySet<PartnerId>) => void;
  /** Another one stored some, of whomever: all streams are woken. */
  readonly elsewhere: () => void;
  subscribe(partnerId: PartnerId): { readonly news: Pause; readonly unsubscribe: () => void };
};

/** Other replicas do not say whose events they stored. */
const WAKE_ALL_MS = 1_000;

/** @param announce - tells the other replicas */
export function createStored(announce: () => void): Stored {
  const all = new Map<Pause, PartnerId>();
  return {
    here(partnerIds) {
      for (const [news, partnerId] of all) if (partnerIds.has(partnerId)) news.wake();
      announce();
    },
    elsewhere: atMostEvery(WAKE_ALL_MS, () => {
      for (const news of all.keys()) news.wake();
    }),
    subscribe(partnerId) {
      const news = createPause();
      all.set(news, partnerId);
      return { news, unsubscribe: () => all.delete(news) };
    },
  };
}
