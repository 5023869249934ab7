import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import type { ConsentDocument } from '../consent/consent-document.ts';
import { html, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import { renderPage, type Reader } from './layout.ts';
import { alertBox, cancelForm, orderPanel } from './payment-parts.ts';

/**
 * Asks whether the card may be saved. The box is always empty, whatever was answered before: ticking
 * it must be the buyer's own act. `changed`: the buyer ticked a different text, so the question is asked again.
 */
export function renderConsentPage(reader: Reader, payment: CheckoutPayment, document: ConsentDocument, changed = false): string {
  const { texts } = reader;
  const title = `${texts.consent.title}: ${payment.storeName}`;
  return renderPage(reader, {
    name: 'consent',
    title: changed ? `${texts.card.errorPrefix}: ${title}` : title,
    path: paths.consent(payment.checkoutToken),
    environment: payment.environment,
    content: html`
      <div class="desk">
        ${orderPanel(payment, texts, texts.card.title)}
        <section class="sheet" aria-labelledby="consent-heading">
          ${changed && alertBox(texts.consent.changed.what, html`<p>${texts.consent.changed.advice}</p>`)}
          <h2 id="consent-heading">${document.question}</h2>
          ${consentForm(reader, payment, document)} ${cancelForm(reader, payment)}
        </section>
      </div>
    `,
  });
}

/**
 * The hash identifies the text that was shown; only that text is stored. `autocomplete="off"` keeps browsers from
 * restoring a tick after a reload.
 */
function consentForm({ texts, language }: Reader, { checkoutToken }: CheckoutPayment, document: ConsentDocument): Html {
  return html`
    <form class="consent" method="post" action=${link(paths.consent(checkoutToken), language)} autocomplete="off" data-consent-form>
      <p>${texts.consent.lead}</p>
      <div class="tick">
        <input id="agree" name="agree" type="checkbox" value="yes" autocomplete="off" aria-describedby="consent-optional" />
        <label for="agree">${document.box}</label>
      </div>
      <p class="hint" id="consent-optional">${texts.consent.optional}</p>
      <dl class="points">
        ${document.points.map(
          ({ term, text }) => html`
            <div>
              <dt>${term}</dt>
              <dd>${text}</dd>
            </div>
          `,
        )}
      </dl>
      <p><a href=${link(paths.consentText(checkoutToken), language)}>${texts.consent.fullText}</a></p>
      <input type="hidden" name="text" value=${document.sha256} />
      <button class="primary" type="submit">${texts.consent.go}</button>
    </form>
  `;
}

/** The page with the full text. */
export function renderConsentTextPage(reader: Reader, payment: CheckoutPayment, document: ConsentDocument): string {
  const { texts, language } = reader;
  return renderPage(reader, {
    name: 'consent-text',
    title: `${document.fullTitle}: ${payment.storeName}`,
    path: paths.consentText(payment.checkoutToken),
    environment: payment.environment,
    content: html`
      <article class="sheet text">
        <h1>${document.fullTitle}</h1>
        ${document.fullText.map(
          ({ heading, paragraphs }) => html`
            <h2>${heading}</h2>
            ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
          `,
        )}
        <p class="reference">${texts.consent.version}: ${document.version}</p>
        <p><a href=${link(paths.payment(payment.checkoutToken), language)}>${texts.consent.back}</a></p>
      </article>
    `,
  });
}
