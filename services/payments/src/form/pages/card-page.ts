import { TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';
import type { FormPayment } from '../../use-cases/open-form.ts';
import type { CardField, CardProblem, CardProblems } from '../card-input.ts';
import { html, type Content, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import type { Texts } from '../texts/texts.ts';
import { formatAmount, formatCardNumber, formatTime } from '../wording.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';
import { orderRows } from './order.ts';

/** Why the form is shown again. What was typed is not: card details never travel back. */
export type CardPageTrouble =
  { readonly kind: 'problems'; readonly problems: CardProblems } | { readonly kind: 'route-unavailable' };

/** The page with the card fields. */
export function renderCardPage(reader: Reader, payment: FormPayment, trouble?: CardPageTrouble): string {
  const { texts } = reader;
  const title = `${texts.card.title}: ${payment.storeName}`;
  return renderPage(reader, {
    name: 'card',
    title: trouble === undefined ? title : `${texts.card.errorPrefix}: ${title}`,
    path: paths.payment(payment.formToken),
    environment: payment.environment,
    testHelp: payment.environment === 'TEST' && testCards(texts, payment.now),
    content: html`
      <div class="desk">
        ${order(payment, texts)}
        <section class="sheet" aria-labelledby="card-heading">
          ${trouble !== undefined && summary(trouble, texts)}
          <h2 id="card-heading">${texts.card.heading}</h2>
          ${cardForm(reader, payment, trouble?.kind === 'problems' ? trouble.problems : [])}
          ${cancelForm(reader, payment)}
        </section>
      </div>
    `,
  });
}

function order(payment: FormPayment, texts: Texts): Html {
  return html`
    <section class="order" aria-labelledby="order-heading">
      <h1 id="order-heading">${texts.card.title}</h1>
      <p class="shop">${payment.storeName}</p>
      <p class="amount">${formatAmount(payment.amountKopecks, texts.language)}</p>
      ${orderRows(payment, texts)} ${timeLeft(payment, texts)}
    </section>
  `;
}

/** A time of day without the script, counted down with it. Announced once, two minutes before the end (WCAG 2.2.1). */
function timeLeft({ expiresAt, now }: FormPayment, texts: Texts): Html {
  return html`
    <p
      class="time"
      data-milliseconds-left=${expiresAt.getTime() - now.getTime()}
      data-left=${texts.time.left}
      data-over=${texts.time.over}
    >
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

function summary(trouble: CardPageTrouble, texts: Texts): Html {
  if (trouble.kind === 'route-unavailable') {
    const { what, advice } = texts.card.routeUnavailable;
    return alert(what, html`<p>${texts.noMoneyTaken} ${advice} ${texts.card.emptied}</p>`);
  }
  return alert(
    texts.card.problemsHeading,
    html`
      <ul>
        ${trouble.problems.map(
          ({ field, problem }) => html`<li><a href=${`#${field}`}>${texts.card.problems[problem]}</a></li>`,
        )}
      </ul>
      <p>${texts.card.emptied}</p>
    `,
  );
}

/** `autofocus` takes the focus there without a script too. */
function alert(heading: string, content: Content): Html {
  return html`
    <div class="alert" role="alert" tabindex="-1" autofocus data-focus aria-labelledby="alert-heading">
      <h2 id="alert-heading">${heading}</h2>
      ${content}
    </div>
  `;
}

type FieldAttributes = { readonly autocomplete: string; readonly enterkeyhint: string };

const FIELDS = {
  number: { autocomplete: 'cc-number', enterkeyhint: 'next' },
  expiry: { autocomplete: 'cc-exp', enterkeyhint: 'next' },
  cvv: { autocomplete: 'cc-csc', enterkeyhint: 'go' },
} as const satisfies Record<CardField, FieldAttributes>;

function cardForm(reader: Reader, payment: FormPayment, problems: CardProblems): Html {
  const { texts, language } = reader;
  const input = (field: CardField, beside?: Content) =>
    cardField(texts, field, problems.find((problem) => problem.field === field)?.problem, beside);
  return html`
    <form class="card" method="post" action=${link(paths.card(payment.formToken), language)} novalidate data-card-form>
      ${input('number', brands(texts))}
      <div class="pair">${input('expiry')} ${input('cvv')}</div>
      <button class="primary" type="submit" data-busy=${texts.card.paying}>
        ${icon('lock')}<span>${texts.card.pay} ${formatAmount(payment.amountKopecks, texts.language)}</span>
      </button>
      <p class="unseen" role="status" data-busy-status></p>
      <p class="privacy">${texts.card.privacy}</p>
    </form>
  `;
}

/** No `maxlength`: it cuts what a password manager pastes. No `type=number`: it is not a quantity. */
function cardField(texts: Texts, field: CardField, problem: CardProblem | undefined, beside: Content): Html {
  const { autocomplete, enterkeyhint } = FIELDS[field];
  const isWrong = problem !== undefined;
  return html`
    <div class=${isWrong ? `field ${field} wrong` : `field ${field}`}>
      <label for=${field}>${texts.card.fields[field]}</label>
      <p class="hint" id=${`${field}-hint`}>${texts.card.hints[field]}</p>
      ${isWrong && html`<p class="problem" id=${`${field}-problem`}>${icon('alert')}<span>${texts.card.problems[problem]}</span></p>`}
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
          aria-invalid=${isWrong ? 'true' : undefined}
          aria-describedby=${isWrong ? `${field}-problem ${field}-hint` : `${field}-hint`}
        />
        ${beside}
      </div>
    </div>
  `;
}

/** The script marks the one that the digits belong to. */
function brands(texts: Texts): Html {
  return html`
    <ul class="brands" aria-label=${texts.card.brands}>
      <li data-brand="mir">${texts.language === 'ru' ? 'Мир' : 'Mir'}</li>
      <li data-brand="visa">Visa</li>
      <li data-brand="mastercard">Mastercard</li>
    </ul>
  `;
}

/** Behind a question: one slip of a thumb must not end a payment. Works without a script. */
function cancelForm({ texts, language }: Reader, payment: FormPayment): Html {
  return html`
    <details class="cancel">
      <summary>${texts.cancel.summary}</summary>
      <form method="post" action=${link(paths.cancel(payment.formToken), language)}>
        <p>${texts.cancel.question} ${texts.noMoneyTaken}</p>
        <button class="secondary" type="submit">${texts.cancel.confirm}</button>
      </form>
    </details>
  `;
}

/** The sandbox's cards; with the script a button fills the fields. */
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
