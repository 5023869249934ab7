import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { html, type Html } from '../html.ts';
import type { Texts } from '../texts/texts.ts';
import { formatAmount } from '../../wording/wording.ts';

/** Amount, shop and purpose, in rows. */
export function orderRows(payment: CheckoutPayment, texts: Texts): Html {
  return html`
    <dl class="rows">${row(texts.order.purpose, payment.description)} ${row(texts.order.number, maskedDigits(payment.merchantOrderId))}</dl>
  `;
}

/** The order on pages that have something else to say first. */
export function orderRecap(payment: CheckoutPayment, texts: Texts): Html {
  return html`
    <section class="recap" aria-label=${texts.order.heading}>
      <dl class="rows">
        ${row(texts.order.shop, payment.storeName)} ${row(texts.order.purpose, payment.description)}
        ${row(texts.order.number, maskedDigits(payment.merchantOrderId))}
        ${payment.cardMask !== undefined && row(texts.order.card, readableMask(payment.cardMask))}
        ${row(texts.order.amount, formatAmount(payment.amountKopecks, texts.language))}
      </dl>
    </section>
  `;
}

/** A row; none if the value is empty, as a purpose may be. */
export function row(term: string, value: string): Html | false {
  return (
    value !== '' &&
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`
  );
}

/** `220070******1234` as the last four digits, by which people know their cards. */
export function readableMask(mask: string): string {
  return `•• ${mask.slice(-4)}`;
}
