import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { BindingAnswer, BuyersBinding } from '../../bindings/bindings.ts';
import { findEndpoints } from '../../db/merchant/endpoints.ts';
import { findStoreOfPoint } from '../../db/merchant/payment-points.ts';
import { findNewCheckout, findSavedCardByLink, moveLinkExpiry, type SavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import { nextLinkExpiry } from '../../domain/saved-card/saved-card-link.ts';
import { readSavedCardLink } from './saved-card-link.ts';

/** A saved card as shown to its buyer. */
export type SavedCardView = {
  /** The link to its pages: see `saved-card-link.ts`. */
  readonly link: string;
  readonly storeName: string;
  readonly environment: 'TEST' | 'LIVE';
  readonly now: Date;
  /** The shop's saved return address, if any. */
  readonly returnUrl?: string;
  readonly binding: BuyersBinding;
};

/** The partner was moved to another cell, whose checkout has the card behind the same link. See decisions/cells. */
export type SavedCardElsewhere = { readonly checkoutUrl: string };

/**
 * `unknown`: no card has this link, or it has expired. `not-yet`: the bindings service does not know the card yet, which takes a moment
 * after the first payment. `unavailable`: it did not answer, and as far as we know nothing was changed.
 */
export type SavedCardAnswer = SavedCardView | SavedCardElsewhere | 'unknown' | 'not-yet' | 'unavailable';

/** What the page behind a buyer's link shows. Changes nothing except the expiry of the link. */
export async function openSavedCard(deps: Deps, link: string): Promise<SavedCardAnswer> {
  return viewOf(deps, link, (card) => deps.bindings.read(card.partnerId, card.bindingId));
}

/**
 * The buyer revokes the card: no further charge is accepted. Safe to repeat. See
 * spec/decisions#revocation-by-the-buyer.
 */
export async function revokeSavedCard(deps: Deps, link: string): Promise<SavedCardAnswer> {
  return viewOf(deps, link, (card) => deps.bindings.revoke(card.partnerId, card.bindingId));
}

async function viewOf(deps: Deps, link: string, ask: (card: SavedCard) => Promise<BindingAnswer>): Promise<SavedCardAnswer> {
  const bindingId = readSavedCardLink(deps, link);
  const card = bindingId === undefined ? undefined : await findSavedCardByLink(deps.db, bindingId);
  if (card === undefined) return 'unknown';
  const checkoutUrl = await findNewCheckout(deps.db, card.partnerId);
  if (checkoutUrl !== undefined) return { checkoutUrl };
  const binding = await ask(card);
  if (typeof binding === 'string') return binding === 'absent' ? 'not-yet' : binding;
  const [store, endpoints, now] = await Promise.all([
    findStoreOfPoint(deps.db, card.paymentPointId),
    findEndpoints(deps.db, card.partnerId),
    clock(deps.db),
  ]);
  const linkExpiresAt = nextLinkExpiry(card.linkExpiresAt, binding.status === 'ACTIVE', now);
  if (linkExpiresAt !== undefined) await inTransaction(deps.db, (tx) => moveLinkExpiry(tx, card.bindingId, linkExpiresAt));
  return {
    link,
    storeName: store?.name ?? '',
    environment: deps.environment,
    now,
    ...(endpoints === undefined ? {} : { returnUrl: endpoints.returnUrl }),
    binding,
  };
}
