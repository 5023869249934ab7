import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Operation } from '../domain/operation.ts';
import type { OperationStatus } from '../domain/operation-status.ts';
import { layout, money } from './layout.ts';
import type { Words } from './words.ts';

/**
 * The result of the payment, and the way back to the shop: a link, and a refresh that follows it at once. The form's
 * POST does not redirect, because `form-action 'self'` forbids a redirect to another origin.
 */
export function resultPage(words: Words, path: string, order: Operation): VNode {
  const { title, lead } = words.result[outcomeOf(order.status)];
  const leavesTo = order.returnUrl === null ? undefined : new URL(order.returnUrl).href;
  return layout({
    words,
    title,
    otherLanguageHref: `${path}?lang=${words.language === 'ru' ? 'en' : 'ru'}`,
    ...(leavesTo === undefined ? {} : { leavesTo }),
    content: html`
      <p class="sum">${money(words, order.amountKopecks)}</p>
      <p>${lead}</p>
      ${leavesTo === undefined ? null : html`<p><a class="button" href=${leavesTo}>${words.result.back}</a></p>`}
    `,
  });
}

type Outcome = Exclude<keyof Words['result'], 'back'>;

/** An order that waits for its buyer has no result page; its page says that the decision is pending. */
function outcomeOf(status: OperationStatus): Outcome {
  return status === 'REGISTERED' || status === 'THREE_DS_REQUIRED' ? 'PENDING' : status;
}
