import { rubles } from '../money.ts';
import { html, NOTHING, type Html } from './html.ts';

export type Page = {
  readonly title: string;
  readonly content: Html;
  /** The page reads itself again every second, until it comes without this. */
  readonly isLive?: boolean;
  readonly isAdmin?: boolean;
};

/** The frame of every page. */
export function layout({ title, content, isLive = false, isAdmin = false }: Page): string {
  const links = isAdmin
    ? html`<a href="/admin">Orders</a><a href="/admin/events">Callbacks</a><a href="/">Shop</a>`
    : html`<a href="/">Teas</a><a href="/orders">My orders</a>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Samovar</title>
        <link rel="icon" href="/ivan.svg" />
        <link rel="stylesheet" href="/style.css" />
        ${isLive ? html`<noscript><meta http-equiv="refresh" content="5" /></noscript>` : NOTHING}
        <script src="/live.js" defer></script>
      </head>
      <body class="${isAdmin ? 'admin' : 'buyer'}">
        <header>
          <a class="brand" href="/">Samovar<span>tea by post</span></a>
          <nav aria-label="Pages">${links}</nav>
        </header>
        <main ${isLive ? html`data-live` : NOTHING}>
          <h1>${title}</h1>
          ${content}
        </main>
        <footer>A demonstration shop. It sells nothing but shows how to take payments.</footer>
      </body>
    </html>`.text;
}

export const money = (kopecks: number): Html => html`<span class="money">${rubles(kopecks)}&nbsp;₽</span>`;

/** A form that changes something: it carries the token that `requireCsrfToken` wants. */
export const form = (action: string, token: string, fields: Html): Html =>
  html`<form method="post" action="${action}"><input type="hidden" name="token" value="${token}" />${fields}</form>`;

/** A moment as it was stored, in UTC, for a machine and for people. */
export const moment = (iso: string): Html => html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;

/** The first letters of an id: enough for people to tell two apart. */
export const short = (id: string): string => id.slice(0, 8);
