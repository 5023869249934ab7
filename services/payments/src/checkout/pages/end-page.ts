import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { html, type Content, type Html } from '../html.ts';
import { link, paths, savedCardPaths, webAddress } from '../links.ts';
import type { PageName } from '../page-of.ts';
import type { Failure, Texts } from '../texts/texts.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';
import { orderRecap } from './order.ts';

/** The pages of a payment that has ended. */
export type EndPageName = Extract<PageName, 'paid' | 'refunded' | 'declined' | 'cancelled' | 'expired' | 'held'>;

/** Which of the payment's addresses the buyer opened: the link itself, or one reached by paying. */
export type Arrival = 'payment' | 'result' | 'returned';

/** How long a buyer who has just paid may read before the script takes them back to the shop. */
const LEAVE_SECONDS = 10;

type Ending = {
  readonly icon: 'check' | 'cross' | 'clock' | 'back';
  readonly tone: 'good' | 'bad' | 'calm';
  readonly title: string;
  readonly content: Content;
};

/**
 * How the payment ended, what that means for the buyer's money, what to do next, and the way back to the shop. A
 * buyer who has just paid reads "paid", one who opens the link again "already paid".
 */
export function renderEndPage(reader: Reader, payment: CheckoutPayment, name: EndPageName, from: Arrival): string {
  const { texts } = reader;
  const justPaid = from !== 'payment';
  const ending = endingOf(texts, payment, name, justPaid);
  const shop = webAddress(payment.returnUrl);
  // A buyer who saved a card has something to read and a link to keep, so the page stays.
  const mayLeave = name === 'paid' && justPaid && shop !== undefined && payment.savedCard === undefined;
  return renderPage(reader, {
    name,
    title: `${ending.title}: ${payment.storeName}`,
    path: paths[from](payment.checkoutToken),
    environment: payment.environment,
    content: html`
      <div class="sheet end">
        <p class=${`sign ${ending.tone}`}>${icon(ending.icon)}</p>
        <h1>${ending.title}</h1>
        ${ending.content} ${orderRecap(payment, texts)} ${name === 'paid' && savedCard(reader, payment)} ${wayBack(texts, shop)}
        ${mayLeave && leaving(texts)}
      </div>
    `,
  });
}

/** The buyer's link to view or revoke the saved card; in another browser, where to find it. */
function savedCard({ texts, language }: Reader, { savedCard: card }: CheckoutPayment): Html | false {
  if (card === undefined) return false;
  return html`<p class="saving">
    <span>${texts.savedCard.saved}</span>
    ${
      card.link === undefined
        ? html`<span>${texts.savedCard.elsewhere}</span>`
        : html`<a href=${link(savedCardPaths.card(card.link), language)}>${texts.savedCard.see}</a>`
    }
  </p>`;
}

function wayBack(texts: Texts, shop: string | undefined): Html {
  return shop === undefined
    ? html`<p>${texts.closeThisPage}</p>`
    : html`<a class="primary" href=${shop} rel="noreferrer" data-shop>${texts.backToShop}</a>`;
}

/** Shown only by the script that leaves the page; the buyer can stop it (WCAG 2.2.1). */
function leaving(texts: Texts): Html {
  return html`
    <p class="leaving" hidden data-leave-seconds=${LEAVE_SECONDS}>
      <span>${texts.paid.leaving} <span data-seconds>${LEAVE_SECONDS}</span>${'\u00a0'}${texts.paid.seconds}</span>
      <button type="button" class="plain" data-stay>${texts.paid.stay}</button>
    </p>
  `;
}

function endingOf(texts: Texts, payment: CheckoutPayment, name: EndPageName, justPaid: boolean): Ending {
  const failure = failureOf(texts, payment);
  switch (name) {
    case 'paid':
      return {
        icon: 'check',
        tone: 'good',
        title: justPaid ? texts.paid.title : texts.paid.already,
        content: html`<p class="lead">${justPaid ? `${texts.paid.what} ${texts.paid.confirmation}` : texts.paid.alreadyWhat}</p>`,
      };
    case 'refunded':
      return {
        icon: 'back',
        tone: 'calm',
        title: texts.refunded.title,
        content: html`<p class="lead">${methodTexts(texts, payment).refunded}</p>`,
      };
    case 'declined':
      return {
        icon: 'cross',
        tone: 'bad',
        title: texts.declined.title,
        content: noMoney(texts, failure ?? methodTexts(texts, payment).unknown),
      };
    case 'cancelled':
      return {
        icon: 'cross',
        tone: 'calm',
        title: texts.cancelled.title,
        content: noMoney(texts, failure ?? texts.failures.CANCELLED_BY_CUSTOMER),
      };
    case 'expired':
      return {
        icon: 'clock',
        tone: 'calm',
        title: texts.expired.title,
        content: noMoney(texts, failure ?? texts.failures.SESSION_EXPIRED),
      };
    case 'held':
      return { icon: 'clock', tone: 'calm', title: texts.held.title, content: noMoney(texts, texts.held) };
  }
}

const isQr = ({ method, isSbpChosen }: CheckoutPayment) => method === 'SBP_DYNAMIC_QR' || isSbpChosen === true;

/** Texts by method: a buyer who paid by QR code used no card. */
function methodTexts(texts: Texts, payment: CheckoutPayment): { readonly refunded: string; readonly unknown: Failure } {
  return isQr(payment) ? texts.qr : { refunded: texts.refunded.what, unknown: texts.declined.unknown };
}

function failureOf(texts: Texts, payment: CheckoutPayment): Failure | undefined {
  const { failureCode } = payment;
  if (failureCode === undefined) return undefined;
  return (isQr(payment) ? texts.qr.failures[failureCode] : undefined) ?? texts.failures[failureCode];
}

function noMoney(texts: Texts, { what, advice }: Failure): Html {
  return html`
    <p class="lead">${what} <strong>${texts.noMoneyTaken}</strong></p>
    <p>${advice}</p>
  `;
}
