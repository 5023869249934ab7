import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { BindingAnswer, BuyersBinding } from '../../bindings/bindings.ts';
import { findEndpoints } from '../../db/merchant/endpoints.ts';
import { findStoreOfPoint } from '../../db/merchant/payment-points.ts';
import { findSavedCardByLink, moveLinkExpiry, type SavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import { nextLinkExpiry } from '../../domain/saved-card/saved-card-link.ts';
import { readSavedCardLink } from './saved-card-link.ts';

/** A saved card as its buyer sees it. */
export type SavedCardView = {
  /** Of its pages: see `saved-card-link.ts`. */
  readonly link: string;
  readonly storeName: string;
  readonly environment: 'TEST' | 'LIVE';
  readonly now: Date;
  /** The shop's saved return address, where it has one. */
  readonly returnUrl?: string;
  readonly binding: BuyersBinding;
};

/**
 * `unknown`: no card has this link, or it is over. `not-yet`: the bindings service has not heard of the card, which takes a moment after
 * the first payment. `unavailable`: it does not answer; nothing was changed, as far as we know.
 */
export type SavedCardAnswer = SavedCardView | 'unknown' | 'not-yet' | 'unavailable';

/** What the page behind a buyer's link shows. Changes nothing but how long the link opens. */
export async function openSavedCard(deps: Deps, link: string): Promise<SavedCardAnswer> {
  return viewOf(deps, link, (card) => deps.bindings.read(card.partnerId, card.bindingId));
}

/**
 * The buyer takes the card back: no further charge is accepted. Safe to repeat. See
 * spec/decisions#revocation-by-the-buyer.
 */
export async function revokeSavedCard(deps: Deps, link: string): Promise<SavedCardAnswer> {
  return viewOf(deps, link, (card) => deps.bindings.revoke(card.partnerId, card.bindingId));
}

async function viewOf(
  deps: Deps,
  link: string,
  ask: (card: SavedCard) => Promise<BindingAnswer>,
): Promise<SavedCardAnswer> {
  const bindingId = readSavedCardLink(deps, link);
  const card = bindingId === undefined ? undefined : await findSavedCardByLink(deps.db, bindingId);
  if (card === undefined) return 'unknown';
  const binding = await ask(card);
  if (typeof binding === 'string') return binding === 'absent' ? 'not-yet' : binding;
  const [store, endpoints, now] = await Promise.all([
    findStoreOfPoint(deps.db, card.paymentPointId),
    findEndpoints(deps.db, card.partnerId),
    clock(deps.db),
  ]);
  const linkExpiresAt = nextLinkExpiry(card.linkExpiresAt, binding.status === 'ACTIVE', now);
  if (linkExpiresAt !== undefined)
    await inTransaction(deps.db, (tx) => moveLinkExpiry(tx, card.bindingId, linkExpiresAt));
  return {
    link,
    storeName: store?.name ?? '',
    environment: deps.environment,
    now,
    ...(endpoints === undefined ? {} : { returnUrl: endpoints.returnUrl }),
    binding,
  };
}
