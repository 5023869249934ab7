import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { html, type Html } from '../html.ts';
import { link, paths, webAddress } from '../links.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';
import { orderRecap } from './order.ts';

/**
 * Waits for the bank's answer, or for the registration of the order. With the script it polls and
 * moves on by itself. Without it the buyer follows a link: a page that reloads itself makes a screen reader lose its
 * place (WCAG 2.2.1). `bank`: the buyer is back from the 3-D Secure page, but there is no result yet;
 * they wait too, with a link to that page.
 */
export function renderWaitPage(reader: Reader, payment: CheckoutPayment, page: 'waiting' | 'preparing' | 'bank'): string {
  const { texts, language } = reader;
  const name = page === 'preparing' ? 'preparing' : 'waiting';
  const check = page === 'preparing' ? paths.payment : paths.return;
  const bank = page === 'bank' ? wayToBank(reader, payment) : undefined;
  return renderPage(reader, {
    name,
    title: `${texts[name].title}: ${payment.storeName}`,
    path: (page === 'bank' ? paths.returned : paths.result)(payment.checkoutToken),
    environment: payment.environment,
    content: html`
      <div class="sheet end" data-state=${paths.state(payment.checkoutToken)} data-state-now=${page}>
        <p class="sign calm waiting">${icon('clock')}</p>
        <h1>${texts[name].title}</h1>
        <p class="lead">${texts[name].what}</p>
        ${name === 'waiting' && html`<p>${texts.waiting.safeToClose}</p>`}
        <p hidden data-auto>${texts.waiting.auto}</p>
        ${orderRecap(payment, texts)}
        <a class="primary" href=${link(check(payment.checkoutToken), language)} data-check>${texts.waiting.check}</a>
        ${bank !== undefined && html`<p><a href=${bank} rel="noreferrer">${texts.bank.go}</a></p>`}
      </div>
    `,
  });
}

/** Where a link leads to the bank's page. A link cannot post, so if a form is needed it leads to the previous page. */
function wayToBank({ language }: Reader, { acsUrl, acsRequest, checkoutToken }: CheckoutPayment): string | undefined {
  return acsRequest === undefined ? webAddress(acsUrl) : link(paths.payment(checkoutToken), language);
}

/**
 * The redirect to the bank's 3-D Secure page: the script leaves at once; without it the refresh does, and there is also a
 * link. If the issuer needs a form (CReq), it is posted by the script or by its button.
 */
export function renderBankPage(reader: Reader, payment: CheckoutPayment): string {
  const { texts } = reader;
  const bank = webAddress(payment.acsUrl);
  const isVisit = bank !== undefined && payment.acsRequest === undefined;
  return renderPage(reader, {
    name: 'bank',
    title: `${texts.bank.title}: ${payment.storeName}`,
    path: paths.payment(payment.checkoutToken),
    environment: payment.environment,
    head: isVisit && html`<noscript><meta http-equiv="refresh" content=${`0; url=${bank}`} /></noscript>`,
    content: html`
      <div class="sheet end">
        <p class="sign calm">${icon('bank')}</p>
        <h1>${texts.bank.title}</h1>
        <p class="lead">${texts.bank.what}</p>
        <p>${texts.bank.then}</p>
        ${orderRecap(payment, texts)} ${bank !== undefined && toBank(bank, payment.acsRequest, texts.bank.go)}
      </div>
    `,
  });
}

function toBank(bank: string, request: string | undefined, words: string): Html {
  if (request !== undefined) {
    return html`<form method="post" action=${bank} data-leave-form>
      <input type="hidden" name="creq" value=${request} />
      <button class="primary">${words}</button>
    </form>`;
  }
  return html`<a class="primary" href=${bank} rel="noreferrer" data-leave-now>${words}</a>`;
}
