import type { FormCode, CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { html, type Html } from '../html.ts';
import { link, paths, webAddress } from '../links.ts';
import type { Texts } from '../texts/texts.ts';
import { formatAmount } from '../../wording/wording.ts';
import type { Arrival } from './end-page.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';
import { cancelForm, notice, orderPanel, wayForm } from './payment-parts.ts';

/**
 * The page with the QR code. A phone cannot scan its own screen, so there the link to the bank's app comes first and the code
 * is collapsed; on a desktop the code fills the page. The style sheet decides which one is visible, without a script. Where the
 * script would poll, a buyer without it presses "check", which leads back here while the bank has no payment: the page says so.
 */
export function renderQrPage(reader: Reader, payment: CheckoutPayment, from: Arrival, trouble?: string): string {
  const { texts, language } = reader;
  const { checkoutToken, environment, code } = payment;
  return renderPage(reader, {
    name: 'qr',
    title: `${texts.qr.title}: ${payment.storeName}`,
    path: paths[from](checkoutToken),
    environment,
    testHelp: environment === 'TEST' && html`<p>${texts.qr.testHelp}</p>`,
    content: html`
      <div class="desk">
        ${orderPanel(payment, texts, texts.qr.title)}
        <section class="sheet" aria-labelledby="qr-heading">
          <h2 id="qr-heading">${texts.qr.heading}</h2>
          <div class="code" data-state=${paths.state(checkoutToken)} data-state-now="qr">
            ${trouble !== undefined && notice(trouble)} ${from === 'returned' && notice(texts.qr.notYet)}
            ${code !== undefined && waysToPay(texts, payment, code)}
            <p class="live" role="status" hidden data-auto>${icon('clock')}<span>${texts.qr.waiting}</span></p>
            <a class="secondary" href=${link(paths.return(checkoutToken), language)} data-check>${texts.qr.check}</a>
          </div>
          ${payment.isSbpChosen === true && wayForm(reader, payment, 'CARD')} ${cancelForm(reader, payment)}
        </section>
      </div>
    `,
  });
}

function waysToPay(texts: Texts, payment: CheckoutPayment, { link: address, image }: FormCode): Html {
  const bank = webAddress(address);
  const { qr } = texts;
  const picture = html`<img
    src=${image}
    width="240"
    height="240"
    alt=${`${qr.picture} ${formatAmount(payment.amountKopecks, texts.language)} ${qr.to} ${payment.storeName}`}
  />`;
  return html`
    ${
      bank !== undefined &&
      html`<div class="on-phone">
        <a class="primary" href=${bank} rel="noreferrer">${qr.openBank}</a>
        <p class="hint">${qr.openBankHint}</p>
      </div>`
    }
    <details class="on-phone">
      <summary>${qr.otherDevice}</summary>
      <p>${qr.scan}</p>
      ${picture}
    </details>
    <div class="at-desk">
      <p>${qr.scan}</p>
      ${picture}
    </div>
    <div class="link">
      <span>${qr.link}</span>
      <code>${address}</code>
      <div class="actions">
        <button type="button" class="plain" hidden data-copy=${address}>${qr.copy}</button>
        <span role="status" data-copied=${qr.copied}></span>
        ${bank !== undefined && html`<a class="at-desk" href=${bank} rel="noreferrer">${qr.openLink}</a>`}
      </div>
    </div>
  `;
}
