import { TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';
import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { ASSETS } from '../assets.ts';
import type { CardField, CardProblem, CardProblems } from '../card-input.ts';
import { periodWords } from '../consent/consent-document.ts';
import { html, type Content, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import type { Failure, Texts } from '../texts/texts.ts';
import { WAY_TEXTS } from '../texts/way.ts';
import { formatAmount, formatCardNumber } from '../../wording/wording.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';
import { alertBox, cancelForm, orderPanel, wayForm } from './payment-parts.ts';

/** Why the form is shown again. Of the input, only a right expiry date is: number and code are never sent back. */
export type CardPageTrouble = { readonly expiry?: string } & (
  | { readonly kind: 'problems'; readonly problems: CardProblems }
  | { readonly kind: 'route-unavailable' | 'held-back' | 'sbp-unavailable' }
);

/** The page with the card fields. */
export function renderCardPage(reader: Reader, payment: CheckoutPayment, trouble?: CardPageTrouble): string {
  const { texts } = reader;
  const title = `${texts.card.title}: ${payment.storeName}`;
  return renderPage(reader, {
    name: 'card',
    title: trouble === undefined && payment.declined === undefined ? title : `${texts.card.errorPrefix}: ${title}`,
    path: paths.payment(payment.checkoutToken),
    environment: payment.environment,
    head: cardScript(),
    testHelp: payment.environment === 'TEST' && testCards(texts, payment.now),
    content: html`
      <div class=${payment.declined === undefined ? 'desk' : 'desk again'}>
        ${orderPanel(payment, texts, texts.card.title)}
        <section class="sheet" aria-labelledby="card-heading">
          ${trouble === undefined ? declinedAlert(payment, texts) : summary(trouble, texts)}
          <h2 id="card-heading">${texts.card.heading}</h2>
          ${savingNotice(reader, payment)} ${cardForm(reader, payment, trouble)}
          ${payment.offersSbp === true && wayForm(reader, payment, 'SBP')}
          <p class="privacy">${texts.card.privacy}</p>
          ${cancelForm(reader, payment)}
        </section>
      </div>
    `,
  });
}

/** The tag of the script that only this page loads. */
export function cardScript(): Html {
  return html`<script src=${ASSETS.cardScript.path} integrity=${ASSETS.cardScript.integrity} type="module"></script>`;
}

/** Whether the card will be saved, and a link to change that while it can be changed. */
function savingNotice({ texts, language }: Reader, { saving, checkoutToken }: CheckoutPayment): Html | false {
  if (saving === undefined || saving.consent === 'AWAITED') return false;
  const period = periodWords(texts.language, saving.period);
  return html`
    <p class="saving">
      <span>${saving.consent === 'GIVEN' ? `${texts.consent.given} ${period}.` : texts.consent.declined}</span>
      ${saving.canAnswer && html`<a href=${link(paths.consent(checkoutToken), language)}>${texts.consent.change}</a>`}
    </p>
  `;
}

/** Why a card was not sent, or SBP could not be chosen, and what to do. */
export function troubleOf(texts: Texts, kind: Exclude<CardPageTrouble['kind'], 'problems'>): Failure {
  const { what, advice } =
    kind === 'sbp-unavailable' ? WAY_TEXTS[texts.language].unavailable : texts.card[kind === 'held-back' ? 'heldBack' : 'routeUnavailable'];
  return { what, advice: `${texts.noMoneyTaken} ${advice}` };
}

/** What is wrong, with links to the fields. The focus goes to the first of them. */
function summary(trouble: CardPageTrouble, texts: Texts): Html {
  if (trouble.kind !== 'problems') {
    const { what, advice } = troubleOf(texts, trouble.kind);
    return alertBox(what, html`<p>${advice} ${texts.card.emptied}</p>`);
  }
  return alertBox(
    texts.card.problemsHeading,
    html`
      <ul>
        ${trouble.problems.map(({ field, problem }) => html`<li><a href=${`#${field}`}>${texts.card.problems[problem]}</a></li>`)}
      </ul>
      <p>${texts.card.emptied}</p>
    `,
    false,
  );
}

/** Why the previous card did not pay, and that another one may. */
function declinedAlert({ declined }: CheckoutPayment, texts: Texts): Html | false {
  if (declined === undefined) return false;
  const { nextCard } = texts.card;
  const advice = nextCard.adviceFor[declined.failureCode] ?? nextCard.advice;
  const last = declined.isLastAttempt ? ` ${nextCard.last}` : '';
  return alertBox(texts.declined.title, html`<p>${texts.failures[declined.failureCode].what} ${texts.noMoneyTaken} ${advice}${last}</p>`);
}

type FieldAttributes = { readonly autocomplete: string; readonly enterkeyhint: string };

const FIELDS = {
  number: { autocomplete: 'cc-number', enterkeyhint: 'next' },
  expiry: { autocomplete: 'cc-exp', enterkeyhint: 'next' },
  cvv: { autocomplete: 'cc-csc', enterkeyhint: 'go' },
} as const satisfies Record<CardField, FieldAttributes>;

/** The script takes the texts of all problems and the server's month from the form. */
function cardForm(reader: Reader, payment: CheckoutPayment, trouble: CardPageTrouble | undefined): Html {
  const { texts, language } = reader;
  const { noAnswer, unknown } = texts.card;
  const problems = trouble?.kind === 'problems' ? trouble.problems : [];
  const input = (field: CardField, beside?: Content) =>
    cardField(texts, field, {
      problem: problems.find((problem) => problem.field === field)?.problem,
      isFirst: problems[0]?.field === field,
      value: field === 'expiry' ? trouble?.expiry : undefined,
      beside,
    });
  return html`
    <form
      class="card"
      method="post"
      action=${link(paths.card(payment.checkoutToken), language)}
      novalidate
      data-card-form
      data-problems=${JSON.stringify(texts.card.problems)}
      data-month=${payment.now.toISOString().slice(0, 7)}
      data-state=${paths.state(payment.checkoutToken)}
      data-result=${link(paths.result(payment.checkoutToken), language)}
      data-prepare=${paths.prepare(payment.checkoutToken)}
      data-method=${paths.method(payment.checkoutToken)}
    >
      ${payment.ordersLeft !== undefined && html`<input type="hidden" name="declined" value=${payment.ordersLeft} />`}
      ${input('number', brands(texts))}
      <div class="pair">${input('expiry')} ${input('cvv')}</div>
      <div
        class="alert"
        role="alert"
        hidden
        data-trouble=${`${noAnswer.what}. ${noAnswer.advice}`}
        data-unknown=${`${unknown.what}. ${unknown.advice}`}
      ></div>
      <button class="primary" type="submit" data-busy=${texts.card.paying}>
        ${icon('lock')}<span>${texts.card.pay} ${formatAmount(payment.amountKopecks, texts.language)}</span>
      </button>
      <p class="unseen" role="status" data-slow=${texts.card.slow}></p>
    </form>
  `;
}

type FieldState = {
  readonly problem: CardProblem | undefined;
  /** The first wrong field: the buyer lands on it, even without a script. */
  readonly isFirst: boolean;
  readonly value: string | undefined;
  readonly beside: Content;
};

/** No `maxlength`: it cuts what a password manager pastes. No `type=number`: it is not a quantity. */
function cardField(texts: Texts, field: CardField, { problem, isFirst, value, beside }: FieldState): Html {
  const { autocomplete, enterkeyhint } = FIELDS[field];
  const isWrong = problem !== undefined;
  return html`
    <div class=${isWrong ? `field ${field} wrong` : `field ${field}`}>
      <label for=${field}>${texts.card.fields[field]}</label>
      <p class="hint" id=${`${field}-hint`}>${texts.card.hints[field]}</p>
      <p class="problem" id=${`${field}-problem`} hidden=${!isWrong}>
        ${icon('alert')}<span>${isWrong && texts.card.problems[problem]}</span>
      </p>
      <div class="input">
        <input
          id=${field}
          name=${field}
          type="text"
          inputmode="numeric"
          autocomplete=${autocomplete}
          enterkeyhint=${enterkeyhint}
          autocapitalize="off"
          autocorrect="off"
          spellcheck="false"
          required
          value=${value}
          autofocus=${isFirst}
          data-focus=${isFirst || undefined}
          aria-invalid=${isWrong ? 'true' : undefined}
          aria-describedby=${`${field}-problem ${field}-hint`}
        />
        ${beside}
      </div>
    </div>
  `;
}

/** The accepted brands. The script marks the one that matches the digits. */
function brands(texts: Texts): Html {
  return html`
    <ul class="brands" aria-label=${texts.card.brands}>
      <li data-brand="mir">${texts.language === 'ru' ? 'Мир' : 'Mir'}</li>
      <li data-brand="visa">Visa</li>
      <li data-brand="mastercard">Mastercard</li>
    </ul>
  `;
}

/** The sandbox's cards. With the script, a button fills the fields. */
function testCards(texts: Texts, now: Date): Html {
  const expiry = `12/${String((now.getUTCFullYear() + 2) % 100).padStart(2, '0')}`;
  return html`
    <details>
      <summary>${texts.test.cards}</summary>
      <p>${texts.test.cardsNote}</p>
      <ul class="test-cards" data-expiry=${expiry}>
        ${TEST_CARDS.map(
          (card) => html`
            <li>
              <code>${formatCardNumber(card.number)}</code>
              <span>${card[texts.language]}</span>
              <button type="button" hidden data-fill=${formatCardNumber(card.number)}>
                ${texts.test.use}<span class="unseen"> ${card.number.slice(-4)}</span>
              </button>
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}
