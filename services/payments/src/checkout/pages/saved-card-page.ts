import type { SavedCardView } from '../../use-cases/saved-card/open-saved-card.ts';
import { periodWords } from '../consent/consent-document.ts';
import { html, type Html } from '../html.ts';
import { link, savedCardPaths, webAddress } from '../links.ts';
import { formatMoment } from '../../wording/wording.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';
import { readableMask, row } from './order.ts';

/** The buyer's page of a saved card: which card, who may charge it and when, and the button that forbids charges. */
export function renderSavedCardPage(reader: Reader, card: SavedCardView): string {
  const { texts } = reader;
  const { status } = card.binding;
  const ended = status === 'ACTIVE' ? undefined : texts.savedCard[status === 'REVOKED' ? 'revoked' : 'expired'];
  const title = ended?.title ?? texts.savedCard.title;
  return renderPage(reader, {
    name: 'saved-card',
    title: `${title}: ${card.storeName}`,
    path: savedCardPaths.card(card.link),
    environment: card.environment,
    content: html`
      <div class="sheet end">
        <p class=${status === 'REVOKED' ? 'sign good' : 'sign calm'}>${icon(status === 'REVOKED' ? 'check' : 'lock')}</p>
        <h1>${title}</h1>
        <p class="lead">${ended?.what ?? texts.savedCard.active}</p>
        ${ended !== undefined && html`<p>${ended.then}</p>`} ${facts(reader, card)}
        ${status === 'ACTIVE' ? revokeForm(reader, card) : wayBack(reader, card)}
      </div>
    `,
  });
}

function facts({ texts }: Reader, { storeName, binding }: SavedCardView): Html {
  const { cardMask, cardExpiry, period, nextChargeAt, status } = binding;
  return html`
    <section class="recap" aria-label=${texts.savedCard.title}>
      <dl class="rows">
        ${row(texts.order.shop, storeName)} ${cardMask !== undefined && row(texts.order.card, readableMask(cardMask))}
        ${cardExpiry !== undefined && row(texts.savedCard.expiry, readableExpiry(cardExpiry))}
        ${row(texts.savedCard.period, periodWords(texts.language, period))}
        ${status === 'ACTIVE' && row(texts.savedCard.nextCharge, `${formatMoment(nextChargeAt, texts.language)} ${texts.time.zone}`)}
      </dl>
    </section>
  `;
}

/** One click without confirmation: nothing should stand in the way of revoking. */
function revokeForm({ texts, language }: Reader, card: SavedCardView): Html {
  return html`
    <form class="revoke" method="post" action=${link(savedCardPaths.revoke(card.link), language)}>
      <p>${texts.savedCard.revokeExplained}</p>
      <button class="primary" type="submit">${texts.savedCard.revoke}</button>
    </form>
    <p class="hint">${texts.savedCard.keepAddress}</p>
  `;
}

function wayBack({ texts }: Reader, card: SavedCardView): Html {
  const shop = webAddress(card.returnUrl);
  return shop === undefined
    ? html`<p>${texts.closeThisPage}</p>`
    : html`<a class="primary" href=${shop} rel="noreferrer">${texts.backToShop}</a>`;
}

/** `2028-09` as printed on cards: `09/28`. */
function readableExpiry(expiry: string): string {
  return `${expiry.slice(5)}/${expiry.slice(2, 4)}`;
}

/** Shown for the moment between the booking of the first payment and the binding's creation. */
export function renderCardNotYetPage(reader: Reader, savedCardLink: string): string {
  const { texts, language } = reader;
  return renderPage(reader, {
    name: 'saved-card',
    title: texts.savedCard.notYet.title,
    path: savedCardPaths.card(savedCardLink),
    content: html`
      <div class="sheet end">
        <p class="sign calm waiting">${icon('clock')}</p>
        <h1>${texts.savedCard.notYet.title}</h1>
        <p class="lead">${texts.savedCard.notYet.what}</p>
        <a class="primary" href=${link(savedCardPaths.card(savedCardLink), language)}>${texts.savedCard.notYet.check}</a>
      </div>
    `,
  });
}
