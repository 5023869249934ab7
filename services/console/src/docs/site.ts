import { readdirSync, readFileSync } from 'node:fs';
import { operatorDocument } from '@pay/contract/operator/openapi.ts';
import { EXAMPLE_LANGUAGES, sdkExamples } from '@pay/contract/sdk-examples/sdk-examples.ts';
import { buildAssets } from './assets.ts';
import { ApiDocument } from './document.ts';
import { escape, slug } from './html.ts';
import { renderMarkdown, type Rendered } from './markdown.ts';
import { arrange, NAV } from './nav.ts';
import { renderPage, type Nav, type PageContent } from './page.ts';
import { block, languageButtons, renderReference, type Reference } from './reference.ts';
import type { SearchEntry } from './search-entry.ts';
import { TRY_PANEL } from './try-form.ts';

/** `docs/` of this repository. */
export const DOCS = new URL('../../../../docs/', import.meta.url);

/** Enough to find a section by what it says, and not the whole text of all. */
const SEARCHED_CHARACTERS = 240;

/**
 * The documentation as files of a site, by path: a page for each Markdown file, one for each OpenAPI document, the search,
 * and what the pages load. All links are relative. `operators` is the document of the operator API.
 */
export async function buildSite(docs: URL = DOCS, operators: unknown = operatorDocument()): Promise<ReadonlyMap<string, Buffer>> {
  const paths = readdirSync(docs, { recursive: true, encoding: 'utf8' }).sort();
  const read = (path: string) => readFileSync(new URL(path, docs));
  const guides = new Map(paths.filter((path) => path.endsWith('.md')).map((path) => [path, renderMarkdown(path, read(path).toString())]));
  const references = new Map([
    ['reference.html', partnersReference(ApiDocument.parse(JSON.parse(read('openapi.json').toString())))],
    ['operators.html', operatorsReference(ApiDocument.parse(operators))],
  ]);
  const nav: Nav = arrange([...guides.keys(), ...references.keys()].sort()).map(({ section, pages }) => ({
    section,
    pages: pages.map((path) => {
      const title = guides.get(path)?.title ?? references.get(path)?.title ?? path;
      return { path: htmlOf(path), title: title === section.title ? 'Overview' : title };
    }),
  }));
  const pages: PageContent[] = [
    home(nav),
    ...[...guides].map(([path, guide]) => guidePage(path, guide)),
    ...[...references].map(([path, reference]) => referencePage(path, reference)),
  ];
  const { assets, files } = await buildAssets();
  return new Map([
    ...pages.map((page): [string, Buffer] => [page.path, Buffer.from(renderPage(page, nav, assets))]),
    ...files,
    ...paths.filter((path) => /\.(?:json|png|svg)$/.test(path)).map((path): [string, Buffer] => [path, read(path)]),
    ['openapi-operators.json', Buffer.from(`${JSON.stringify(operators, null, 2)}\n`)],
    ['search.json', Buffer.from(JSON.stringify(searchEntries(guides, references)))],
    // The console says something else where it forwards (http/try-it.ts).
    ['try.json', Buffer.from('{"forwardsTo":null}')],
  ]);
}

const htmlOf = (path: string): string => path.replace(/\.md$/, '.html');

const guidePage = (path: string, { title, html, sections }: Rendered): PageContent => ({
  path: htmlOf(path),
  title,
  main: `<article>${html}</article>`,
  places: sections.filter(({ level }) => level === 2).map(({ id, title: heading }) => ({ id, title: heading })),
  isReference: false,
});

type TitledReference = Reference & { readonly title: string };

const referencePage = (path: string, { title, html, places }: TitledReference): PageContent => ({
  path,
  title,
  main: html,
  places,
  isReference: true,
});

function partnersReference(document: ApiDocument): TitledReference {
  const reference = renderReference(document, sdkExamples());
  const setups = EXAMPLE_LANGUAGES.map(({ id, title, setup }) => block(title, setup, id, id));
  const title = 'API reference';
  return {
    ...reference,
    title,
    places: [{ id: 'client', title: 'Set up a client' }, ...reference.places],
    html: `<h1>${title}</h1>
<div class="intro">${renderMarkdown('reference.md', document.info.description).html}
<p>How requests are signed: <a href="partners/signing.html">Signing a request</a>. Every error: <a href="partners/errors.html">Errors</a>. The document for
generators: <a href="openapi.json">openapi.json</a>.</p></div>
${TRY_PANEL}
<section class="operation" aria-labelledby="client"><div class="about"><h2 id="client">Set up a client</h2>
<p>The examples below call a client that is made once. Its four values come from the environment of your program: the address of the API, your
partnerID, your public key as registered, and the file of your private key.</p></div>
<div class="code">${languageButtons(EXAMPLE_LANGUAGES)}${setups.join('')}</div></section>
${reference.html}`,
  };
}

function operatorsReference(document: ApiDocument): TitledReference {
  const reference = renderReference(document, new Map());
  const title = 'Operator API reference';
  return {
    ...reference,
    title,
    html: `<h1>${title}</h1>
<div class="intro">${renderMarkdown('operators.md', document.info.description).html}
<p>A person signs in to the console; a script uses <a href="partners/cli.html">the command line</a>. The document for generators:
<a href="openapi-operators.json">openapi-operators.json</a>.</p></div>
${reference.html}`,
  };
}

function home(nav: Nav): PageContent {
  const sections = nav
    .filter(({ pages }) => pages.length > 0)
    .map(({ section, pages }) => {
      const shown = section.hasIndex === true ? pages.slice(0, 1) : pages;
      const items = shown.map(({ path, title }) => `<li><a href="${path}">${escape(title)}</a></li>`);
      const list = `<ul class="pages">${items.join('')}</ul>`;
      const id = slug(section.title);
      return section.isFolded
        ? `<details><summary>${escape(section.title)}</summary>${list}</details>`
        : `<h2 id="${id}">${escape(section.title)}</h2>${list}`;
    });
  const title = 'Documentation';
  return {
    path: 'index.html',
    title,
    isReference: false,
    places: [],
    main: `<h1>${title}</h1>
<p class="lead">Card payments, SBP QR, saved cards, refunds and payouts: signed calls in, signed callbacks out.</p>
<ul class="cards">
<li><a href="partners/guides/quick-start.html"><strong>Quick start</strong> A payment from your own program, and its verified callback.</a></li>
<li><a href="partners/guides/README.html"><strong>Guides</strong> A task each: saved cards, SBP QR, refunds, withdrawals, going live.</a></li>
<li><a href="reference.html"><strong>API reference</strong> Every call with examples in ${EXAMPLE_LANGUAGES.map((one) => one.title).join(', ')}.</a></li>
</ul>
${sections.join('\n')}`,
  };
}

function searchEntries(guides: ReadonlyMap<string, Rendered>, references: ReadonlyMap<string, TitledReference>): SearchEntry[] {
  return [
    ...[...references].flatMap(([path, { title, found }]) =>
      found.map((one) => ({
        title: one.title,
        page: title,
        url: `${path}#${one.id}`,
        text: one.text,
        weight: weightOf(path),
      })),
    ),
    ...[...guides].flatMap(([path, { title, sections }]) => {
      // Of a decision, its heading says it.
      const shown = path.startsWith('decisions/') ? sections.slice(0, 1) : sections;
      return shown.map((section) => ({
        title: section.title,
        page: title,
        url: section.level === 1 ? htmlOf(path) : `${htmlOf(path)}#${section.id}`,
        text: section.text.slice(0, SEARCHED_CHARACTERS),
        weight: weightOf(path) * (section.level === 1 ? 1 : 0.7),
      }));
    }),
  ];
}

/** Partners first: what they read is in the sections that are open. */
function weightOf(path: string): number {
  const section = NAV.find(({ pages }) => pages.includes(path) || pages.includes(path.replace(/[^/]+$/, '*')));
  if (path.startsWith('decisions/')) return 0.2;
  return section?.isFolded === false ? 1 : 0.4;
}
