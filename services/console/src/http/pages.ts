import { randomBytes } from 'node:crypto';
import type { Express, Request, RequestHandler } from 'express';
import type { Asset, Bundle } from '../bundle/bundle.ts';
import { languageOf } from '../language.ts';

/** A program's pages: all of them are the same document, whose script reads the address. */
export type PageSet = {
  /** The title of the document until its page has set its own. */
  readonly title: string;
  /** What the pages call the program, as in "the console isn't responding". */
  readonly name: string;
  /** The same in Russian, for pages whose texts exist in Russian, too. */
  readonly russian?: { readonly title: string; readonly name: string };
  /** Each address, and the file in the folder `pages` that shows it. */
  readonly shownBy: Readonly<Record<string, string>>;
  /** How the name of the cookie with the session ends. Only to guess what the page needs: who it is, the API says. */
  readonly sessionCookie: string;
  /** What the pages ask for before they know anything: paths below `/api/`. */
  readonly asksFirst: Readonly<Record<'stranger' | 'signedIn', readonly string[]>>;
};

/** The console's pages, and the file in `web/pages/` that shows each. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  '/': 'overview',
  '/sign-in': 'sign-in',
  '/account': 'account',
  '/overview': 'overview',
  '/withdrawals': 'withdrawals',
  '/withdrawals/:id': 'withdrawal',
  '/fundings': 'fundings',
  '/partners': 'partners',
  '/partners/:id': 'partner',
  '/deliveries': 'deliveries',
  '/deliveries/:id': 'delivery',
  '/payments': 'payments',
  '/payments/:id': 'payment',
  '/saved-cards': 'saved-cards',
  '/saved-cards/:id': 'saved-card',
  '/held-back': 'held-back',
  '/exceptions': 'exceptions',
  '/reconciliations': 'reconciliations',
  '/reconciliations/:routeId/:date': 'reconciliation',
  '/proposals': 'proposals',
  '/points/:id': 'point',
  '/routes': 'routes',
  '/dead-letters': 'dead-letters',
  '/operators': 'operators',
  '/sessions': 'sessions',
  '/audit': 'audit',
  '/search': 'search',
};
export const PAGES: readonly string[] = Object.keys(SHOWN_BY);
export const CONSOLE_PAGES: PageSet = {
  title: 'Payment console',
  name: 'the console',
  russian: { title: 'Платёжная консоль', name: 'консоль' },
  shownBy: SHOWN_BY,
  sessionCookie: 'console.session_token',
  asksFirst: { stranger: ['session', 'sign-in-options'], signedIn: ['session', 'waiting'] },
};

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Adds the pages, their scripts and their styles. Everything they load comes from this origin. */
export function addPages(app: Express, bundle: Bundle, pages: PageSet): void {
  for (const [path, asset] of bundle.assets) app.get(path, serveAsset(asset));
  for (const [path, page] of Object.entries(pages.shownBy)) app.get(path, showPage(bundle, pages, page));
}

/**
 * Adds the page for an address that is none, for people. Programs get the usual error: whoever accepts anything is one.
 */
export function addNotFoundPage(app: Express, bundle: Bundle, pages: PageSet): void {
  const show = showPage(bundle, pages, undefined);
  app.get('/{*path}', (req, res, next) => {
    if (req.path.startsWith('/api/') || req.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    res.status(404);
    return show(req, res, next);
  });
}

/** In the smallest form that the browser accepts. */
function serveAsset({ type, bytes }: Asset): RequestHandler {
  return (req, res) => {
    const encoding = (['br', 'gzip'] as const).find((one) => req.acceptsEncodings(one) === one);
    res.set({ 'Cache-Control': FOR_EVER, 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' }).type(type);
    if (encoding !== undefined) res.set('Content-Encoding', encoding);
    res.send(bytes[encoding ?? 'identity']);
  };
}

/** What the browser can fetch at once, because the document names it. */
type Needed = { readonly scripts: readonly string[]; readonly asked: readonly string[] };

/** Strangers see the sign-in, whatever they came for. */
function neededBy(req: Request, bundle: Bundle, pages: PageSet, page: string | undefined): Needed {
  const isSignedIn = req.headers.cookie?.includes(`${pages.sessionCookie}=`) === true;
  return isSignedIn
    ? { scripts: bundle.pages[page ?? ''] ?? [], asked: pages.asksFirst.signedIn }
    : { scripts: bundle.pages['sign-in'] ?? [], asked: pages.asksFirst.stranger };
}

/** The document, which names the scripts of its page and what it asks the API for first. */
function showPage(bundle: Bundle, pages: PageSet, page: string | undefined): RequestHandler {
  return (req, res) => {
    const { scripts, asked } = neededBy(req, bundle, pages, page);
    const said =
      pages.russian !== undefined && languageOf(req) === 'ru'
        ? { language: 'ru' as const, ...pages.russian, scripts: [...scripts, ...bundle.russian] }
        : { language: 'en' as const, title: pages.title, name: pages.name, scripts };
    // Components write their own style elements; the browser accepts those with this response's nonce.
    const nonce = randomBytes(16).toString('base64');
    res
      .set({
        'Content-Security-Policy': [
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data:",
          "connect-src 'self'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ].join('; '),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
      })
      .type('text/html')
      .send(document({ ...said, asked, bundle, nonce }));
  };
}

/** What the document itself says, while its scripts have not: it stays if one of them does not arrive. */
const WORDS = {
  en: {
    unloaded: 'This page hasn’t loaded. The connection may have been lost.',
    reload: 'Reload',
    noScript: 'These pages need JavaScript.',
  },
  ru: {
    unloaded: 'Страница не загрузилась. Возможно, пропала связь.',
    reload: 'Перезагрузить',
    noScript: 'Этим страницам нужен JavaScript.',
  },
} as const;

function document({
  language,
  title,
  name,
  bundle: { script, style },
  scripts,
  asked,
  nonce,
}: Needed & {
  readonly language: keyof typeof WORDS;
  readonly title: string;
  readonly name: string;
  readonly bundle: Bundle;
  readonly nonce: string;
}): string {
  const words = WORDS[language];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="style-nonce" content="${nonce}">
<meta name="application-name" content="${name}">
<title>${title}</title>
<link rel="icon" href="data:,">
${asked.map((path) => `<link rel="preload" as="fetch" href="/api/${path}" crossorigin>`).join('\n')}
<link rel="stylesheet" href="${style}">
${scripts.map((path) => `<link rel="modulepreload" href="${path}">`).join('\n')}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="root"><p class="unloaded">${words.unloaded} <a href="">${words.reload}</a></p></div>
<noscript>${words.noScript}</noscript>
</body>
</html>
`;
}
