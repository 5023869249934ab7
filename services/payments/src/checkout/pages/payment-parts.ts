import type { WayToPay } from '../../domain/payment/sbp-order.ts';
import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { html, type Content, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import type { Texts } from '../texts/texts.ts';
import { WAY_TEXTS } from '../texts/way.ts';
import { formatAmount, formatTime } from '../../wording/wording.ts';
import { icon } from './icons.ts';
import type { Reader } from './layout.ts';
import { orderRows } from './order.ts';

/** The common parts of the pages before the payment. */

/** The order panel: purpose, shop, amount and deadline. `title` is the title of the page. */
export function orderPanel(payment: CheckoutPayment, texts: Texts, title: string): Html {
  return html`
    <section class="order" aria-labelledby="order-heading">
      <h1 id="order-heading">${title}</h1>
      <p class="shop">${payment.storeName}</p>
      <p class="amount">${formatAmount(payment.amountKopecks, texts.language)}</p>
      ${orderRows(payment, texts)} ${timeLeft(payment, texts)}
    </section>
  `;
}

/** A time of day; with the script, a countdown. Announced once, two minutes before the end (WCAG 2.2.1). */
function timeLeft({ expiresAt, now }: CheckoutPayment, texts: Texts): Html {
  return html`
    <p class="time" data-milliseconds-left=${expiresAt.getTime() - now.getTime()} data-left=${texts.time.left} data-over=${texts.time.over}>
      ${icon('clock')}
      <span data-time>
        ${`${texts.time.payBy} `}
        <time datetime=${expiresAt.toISOString()}>${formatTime(expiresAt, now, texts.language)}</time>
        ${` ${texts.time.zone}`}
      </span>
    </p>
    <p class="unseen" role="status" data-announcement=${texts.time.twoMinutesLeft}></p>
  `;
}

/** An alert at the top of the page. `autofocus` moves the focus there even without a script, unless a field has it. */
export function alertBox(heading: string, content: Content, isFocused = true): Html {
  return html`
    <div
      class="alert"
      role="alert"
      tabindex="-1"
      autofocus=${isFocused}
      data-focus=${isFocused || undefined}
      aria-labelledby="alert-heading"
    >
      <h2 id="alert-heading">${heading}</h2>
      ${content}
    </div>
  `;
}

/** What a check by the buyer found, at the top of the page: the focus moves there, as with `alertBox`. */
export function notice(words: string): Html {
  return html`<p class="notice" role="status" tabindex="-1" autofocus data-focus>${icon('clock')}<span>${words}</span></p>`;
}

/** The button of the other way to pay. Works without a script. */
export function wayForm({ texts, language }: Reader, payment: CheckoutPayment, to: WayToPay): Html {
  const { checkoutToken, ordersLeft = 0 } = payment;
  return html`
    <form class="way" method="post" action=${link(paths.way(checkoutToken), language)}>
      <input type="hidden" name="to" value=${to} />
      <input type="hidden" name="left" value=${ordersLeft} />
      <button class="secondary" type="submit">${WAY_TEXTS[texts.language][to]}</button>
    </form>
  `;
}

/** Asks for confirmation, so that one wrong tap does not end a payment. Works without a script. */
export function cancelForm({ texts, language }: Reader, payment: CheckoutPayment): Html {
  return html`
    <details class="cancel">
      <summary>${texts.cancel.summary}</summary>
      <form method="post" action=${link(paths.cancel(payment.checkoutToken), language)}>
        <p>${texts.cancel.question} ${texts.noMoneyTaken}</p>
        <button class="secondary" type="submit">${texts.cancel.confirm}</button>
      </form>
    </details>
  `;
}
