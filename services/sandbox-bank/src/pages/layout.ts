import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Words } from './words.ts';

/** What a template may contain. The renderer escapes text; no value can inject markup. */
export type Content = VNode | readonly Content[] | string | null;

export type Page = {
  readonly words: Words;
  readonly title: string;
  readonly content: Content;
  /** The same page in the other language. */
  readonly otherLanguageHref: string;
  /** Where the browser goes automatically, at once; a link on the page goes there too. */
  readonly leavesTo?: string;
  /** A wide page for lists. */
  readonly wide?: boolean;
};

/** A whole page: TEST banner, content, language switch. */
export function layout({ words, title, content, otherLanguageHref, leavesTo, wide }: Page): VNode {
  const otherLanguage = words.language === 'ru' ? 'en' : 'ru';
  return html`
    <html lang=${words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        ${leavesTo === undefined ? null : html`<meta http-equiv="refresh" content=${`0; url=${leavesTo}`} />`}
        <title>${`${title} – ${words.bank}`}</title>
        <link rel="stylesheet" href="/assets/bank.css" />
        <link rel="icon" href="data:," />
      </head>
      <body class=${wide === true ? 'wide' : null}>
        <a class="skip" href="#content">${words.skipToContent}</a>
        <header>
          <p class="bank">${words.bank}</p>
          <p class="test">${words.banner}</p>
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${content}
        </main>
        <footer>
          <a href=${otherLanguageHref} lang=${otherLanguage} hreflang=${otherLanguage}>${words.otherLanguage}</a>
        </footer>
      </body>
    </html>
  `;
}

/** Terms and their values. */
export function facts(rows: readonly (readonly [term: string, value: Content])[]): VNode {
  return html`<dl>
    ${rows.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const isDecimal = (text: string): text is `${number}` => /^\d+\.\d{2}$/.test(text);

/** Kopecks as an amount in rubles in the page's language. */
export function money(words: Words, amountKopecks: bigint): string {
  const text = renderRub(amountKopecks);
  if (!isDecimal(text)) throw new Error('an amount is not a decimal');
  return new Intl.NumberFormat(words.language, { style: 'currency', currency: 'RUB' }).format(text);
}

/** A moment, in UTC, to the second. */
export function time(words: Words, moment: Date): VNode {
  const text = new Intl.DateTimeFormat(words.language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  return html`<time datetime=${moment.toISOString()}>${`${text.format(moment)} UTC`}</time>`;
}
