import { LETTERS_PER_PAYMENT_MAX } from '../../use-cases/letter/ask-for-letter.ts';
import type { CheckoutPayment } from '../../use-cases/checkout/open-checkout.ts';
import { html, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import { LETTER_TEXTS } from '../texts/letter.ts';
import { icon } from './icons.ts';
import type { Reader } from './layout.ts';

/** Why the address was not taken. `typed`: as the buyer wrote it, to be mended. */
export type LetterTrouble = { readonly problem: 'address' | 'tooMany'; readonly typed: string };

/** Offers to send a confirmation by e-mail; after that, to another address. Nothing where the point sends none. */
export function letterPart(reader: Reader, payment: CheckoutPayment, trouble: LetterTrouble | undefined): Html | false {
  const { letters } = payment;
  const words = LETTER_TEXTS[reader.texts.language];
  if (letters === undefined) return false;
  const canAsk = letters < LETTERS_PER_PAYMENT_MAX;
  if (letters === 0 || trouble !== undefined) return letterForm(reader, payment, trouble);
  return html`
    <div class="letter">
      <p role="status">${words.asked}</p>
      ${
        canAsk &&
        html`<details>
          <summary>${words.another}</summary>
          ${letterForm(reader, payment, undefined)}
        </details>`
      }
    </div>
  `;
}

function letterForm(
  { texts, language }: Reader,
  { checkoutToken }: CheckoutPayment,
  trouble: LetterTrouble | undefined,
): Html {
  const words = LETTER_TEXTS[texts.language];
  const isWrong = trouble !== undefined;
  return html`
    <form
      class="letter"
      method="post"
      action=${link(paths.letter(checkoutToken), language)}
      novalidate
      data-letter-form
    >
      <div class=${isWrong ? 'field wrong' : 'field'}>
        <label for="email">${words.label}</label>
        <p class="hint" id="email-hint">${words.hint}</p>
        <p class="problem" id="email-problem" hidden=${!isWrong}>
          ${icon('alert')}<span>${isWrong && words[trouble.problem]}</span>
        </p>
        <div class="input">
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="email"
            enterkeyhint="send"
            autocapitalize="off"
            autocorrect="off"
            spellcheck="false"
            required
            value=${trouble?.typed}
            autofocus=${isWrong}
            data-focus=${isWrong || undefined}
            aria-invalid=${isWrong ? 'true' : undefined}
            aria-describedby="email-problem email-hint"
          />
        </div>
      </div>
      <button class="secondary" type="submit">${words.send}</button>
    </form>
  `;
}
