import { html } from '../html.ts';
import type { Failure } from '../texts/texts.ts';
import { icon } from './icons.ts';
import { renderPage, type Reader } from './layout.ts';

/** A page without a payment: what is wrong and what to do. `reference` identifies the request in the logs. */
export function renderErrorPage(reader: Reader, words: { readonly title: string } & Failure, path: string, reference?: string): string {
  return renderPage(reader, {
    name: 'error',
    title: words.title,
    path,
    content: html`
      <div class="sheet end">
        <p class="sign calm">${icon('alert')}</p>
        <h1>${words.title}</h1>
        <p class="lead">${words.what}</p>
        <p>${words.advice}</p>
        ${reference !== undefined && html`<p class="reference">${reader.texts.reference}: <code>${reference}</code></p>`}
      </div>
    `,
  });
}
