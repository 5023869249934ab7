import { posix } from 'node:path';
import { escape } from './html.ts';
import type { NavSection } from './nav.ts';

/** What the browser may do on a page: nothing but what this site itself brings. `frame-ancestors` works in a header only. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** An entry of the navigation. */
export type NavPage = { readonly path: string; readonly title: string };
/** The sections of the navigation with the pages that exist. */
export type Nav = readonly { readonly section: NavSection; readonly pages: readonly NavPage[] }[];

/** A link to a place on the same page, and those below it. */
export type Place = { readonly id: string; readonly title: string; readonly places?: readonly Place[] };

export type PageContent = {
  /** Below the site's root, such as `decisions/README.html`. */
  readonly path: string;
  readonly title: string;
  readonly main: string;
  /** "On this page". Of a reference it is part of the navigation. */
  readonly places: readonly Place[];
  readonly isReference: boolean;
};

/** The paths of the files that every page loads, below the site's root. */
export type Assets = { readonly style: string; readonly page: string; readonly search: string; readonly tryIt: string };

/** A whole page. Its links are relative, so the site works below any path. */
export function renderPage(content: PageContent, nav: Nav, assets: Assets): string {
  const { path, title, main, places, isReference } = content;
  const to = (target: string) => relativeTo(path, target);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(PAGE_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="docs-root" content="${to('') === '' ? './' : to('')}">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to(assets.style)}">
<script src="${to(assets.page)}"></script>
<script type="module" src="${to(assets.search)}"></script>
${isReference ? `<script type="module" src="${to(assets.tryIt)}"></script>\n` : ''}</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<button type="button" class="menu" popovertarget="pages">Pages</button>
<a class="home" href="${to('index.html')}">Payment API</a>
<search><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" aria-controls="found" autocomplete="off" spellcheck="false" hidden><div id="found" hidden></div><p id="found-count" class="unseen" role="status"></p></search>
</header>
<div class="layout${isReference ? ' wide' : ''}">
<nav id="pages" popover aria-label="Pages">
${nav.map((one) => sectionOf(one, content, to)).join('\n')}
</nav>
<main id="main" tabindex="-1">
${main}
${neighbours(path, nav, to)}
</main>
${isReference || places.length < 2 ? '' : `<nav class="contents" aria-label="On this page"><p>On this page</p>${listOf(places)}</nav>`}
</div>
</body>
</html>
`;
}

function sectionOf({ section, pages }: Nav[number], content: PageContent, to: (path: string) => string): string {
  if (pages.length === 0) return '';
  const isHere = pages.some(({ path }) => path === content.path);
  const shown = section.hasIndex === true ? pages.slice(0, 1) : pages;
  const items = shown.map(({ path, title }) => {
    const here = path === content.path;
    const places = here && content.isReference ? listOf(content.places) : '';
    return `<li><a href="${to(path)}"${here ? ' aria-current="page"' : ''}>${escape(title)}</a>${places}</li>`;
  });
  return `<details${section.isFolded && !isHere ? '' : ' open'}><summary>${escape(section.title)}</summary><ul>${items.join('')}</ul></details>`;
}

const listOf = (places: readonly Place[]): string =>
  `<ul>${places
    .map(({ id, title, places: inner = [] }) => `<li><a href="#${id}">${escape(title)}</a>${inner.length === 0 ? '' : listOf(inner)}</li>`)
    .join('')}</ul>`;

/** The pages before and after this one in its section. */
function neighbours(path: string, nav: Nav, to: (path: string) => string): string {
  const pages = nav.find((one) => one.pages.some((page) => page.path === path))?.pages ?? [];
  const at = pages.findIndex((page) => page.path === path);
  const link = (page: NavPage | undefined, rel: string, word: string) =>
    page === undefined ? '' : `<a rel="${rel}" href="${to(page.path)}"><small>${word}</small> ${escape(page.title)}</a>`;
  const links = link(pages[at - 1], 'prev', 'Previous') + link(pages[at + 1], 'next', 'Next');
  return at === -1 || links === '' ? '' : `<nav class="neighbours" aria-label="Previous and next page">${links}</nav>`;
}

/** The relative address of a file of the site on a page of it; empty for the root on a page there. */
export function relativeTo(page: string, target: string): string {
  const from = posix.dirname(page);
  const path = posix.relative(from, target === '' ? '.' : target);
  return target === '' && path !== '' ? `${path}/` : path;
}
