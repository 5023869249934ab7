import { ASSETS } from '../assets.ts';
import { html, renderDocument, type Content, type Html } from '../html.ts';
import { LANGUAGES } from '../../wording/language.ts';
import type { LanguageChoice } from '../language.ts';
import { TEXTS, type Texts } from '../texts/texts.ts';
import { icon } from './icons.ts';

/** The texts and the language for a page. */
export type Reader = { readonly texts: Texts; readonly language: LanguageChoice };

type Page = {
  /** The name of the page for the script and the style sheet: `card`, `waiting`, … */
  readonly name: string;
  readonly title: string;
  /** The path of this page, for the language switch. */
  readonly path: string;
  readonly environment?: 'TEST' | 'LIVE';
  /** In the head, for pages that redirect by themselves. */
  readonly head?: Content;
  /** Under the TEST banner. */
  readonly testHelp?: Content;
  readonly content: Content;
};

/** A whole page: the common head, header and footer around the content. */
export function renderPage({ texts, language }: Reader, page: Page): string {
  return renderDocument(html`
    <html lang=${language.language} data-page=${page.name}>
      <head>
        <meta charset="utf-8" />
        <title>${page.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href=${ASSETS.icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href=${ASSETS.style.path} integrity=${ASSETS.style.integrity} />
        <script src=${ASSETS.script.path} integrity=${ASSETS.script.integrity} defer></script>
        ${page.head}
      </head>
      <body>
        <a class="skip" href="#main">${texts.skipToContent}</a>
        ${page.environment === 'TEST' && testStrip(texts, page.testHelp)}
        <header class="top">
          <p class="brand">${icon('lock')}<span>${texts.securedBy}</span></p>
          ${languageSwitch(texts, language, page.path)}
        </header>
        <main id="main" tabindex="-1">${page.content}</main>
      </body>
    </html>
  `);
}

function testStrip(texts: Texts, help: Content): Html {
  return html`
    <aside class="test" aria-label=${texts.test.title}>
      <p><strong>${texts.test.title}.</strong> ${texts.test.explanation}</p>
      ${help}
    </aside>
  `;
}

function languageSwitch(texts: Texts, { language }: LanguageChoice, path: string): Html {
  return html`
    <nav class="languages" aria-label=${texts.languageSwitch}>
      ${LANGUAGES.filter((other) => other !== language).map(
        (other) => html`<a href=${`${path}?lang=${other}`} lang=${other} hreflang=${other}>${TEXTS[other].languageName}</a>`,
      )}
    </nav>
  `;
}
