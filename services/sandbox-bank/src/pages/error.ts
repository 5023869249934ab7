import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { layout } from './layout.ts';
import type { Words } from './words.ts';

/** A page for an error. It never repeats the request. */
export function errorPage(words: Words, what: keyof Words['error']): VNode {
  const { title, lead } = words.error[what];
  return layout({
    words,
    title,
    otherLanguageHref: `?lang=${words.language === 'ru' ? 'en' : 'ru'}`,
    content: html`<p>${lead}</p>`,
  });
}
