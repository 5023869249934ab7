import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Operation } from '../domain/operation.ts';
import { facts, layout, money } from './layout.ts';
import type { Words } from './words.ts';

type Buttons = {
  readonly title: string;
  readonly lead: string;
  readonly yes: { readonly value: string; readonly text: string };
  readonly no: { readonly value: string; readonly text: string };
};

/** The page where a buyer decides: purpose, amount, card and two buttons. Works without JavaScript. */
export function confirmationPage(words: Words, path: string, order: Operation, buttons: Buttons): VNode {
  const { title, lead, yes, no } = buttons;
  return layout({
    words,
    title,
    otherLanguageHref: `${path}?lang=${words.language === 'ru' ? 'en' : 'ru'}`,
    content: html`
      <p>${lead}</p>
      <p class="sum">${money(words, order.amountKopecks)}</p>
      ${facts([
        [words.purpose, order.description === '' ? words.noPurpose : order.description],
        ...(order.cardMask === null ? [] : [[words.card, order.cardMask] as const]),
      ])}
      <form method="post" action=${`${path}?lang=${words.language}`}>
        <button class="yes" name="decision" value=${yes.value}>${yes.text}</button>
        <button class="no" name="decision" value=${no.value}>${no.text}</button>
      </form>
    `,
  });
}

/** The buttons of the 3-D Secure page. */
export function threeDsButtons({ threeDs }: Words): Buttons {
  return {
    title: threeDs.title,
    lead: threeDs.lead,
    yes: { value: 'approve', text: threeDs.approve },
    no: { value: 'decline', text: threeDs.decline },
  };
}

/** The buttons of the SBP page. */
export function sbpButtons({ sbp }: Words): Buttons {
  return {
    title: sbp.title,
    lead: sbp.lead,
    yes: { value: 'pay', text: sbp.pay },
    no: { value: 'refuse', text: sbp.refuse },
  };
}
