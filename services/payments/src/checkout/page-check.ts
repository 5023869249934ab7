import { createHash } from 'node:crypto';
import { ASSETS } from './assets.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { renderPiece } from './html.ts';
import { cardScript } from './pages/card-page.ts';
import { renderErrorPage } from './pages/error-page.ts';
import { TEXTS } from './texts/texts.ts';

/** A page as a browser received it. */
export type FetchedPage = {
  readonly headers: Headers;
  readonly html: string;
  /** The files that every page loads, by path; undefined: not received. */
  readonly files: ReadonlyMap<string, Buffer | undefined>;
};

/** The files that every page loads. */
export const PAGE_FILES = Object.values(ASSETS).map(({ path }) => path);

/** Tags that load, run or link to something, with their content, and any tag with an event handler. */
const ACTIVE =
  /<(?:script|link|base|iframe|frame|object|embed|applet|style|meta|portal)\b[^>]*>[^<]*|<[^>]+\son[a-z]+\s*=[^>]*>|<[^>]+=\s*["']?\s*javascript:[^>]*>/gi;
const FORM_ACTION = /<form\b[^>]*?\saction="([^"]*)"/gi;
const TEXT_MAX = 160;
const TOLD_MAX = 10;

const activeTags = (html: string): string[] => (html.match(ACTIVE) ?? []).map((tag) => tag.trim());

const READER = { texts: TEXTS.ru, language: { language: 'ru', isChosen: false } } as const;
/** The tags that every page of this build has, and those of a card page: taken from its pages, so that none is forgotten. */
const EXPECTED_TAGS = new Set(activeTags(renderErrorPage(READER, TEXTS.ru.notFound, '/')));
const CARD_PAGE_TAGS = new Set([...EXPECTED_TAGS, ...activeTags(renderPiece(cardScript()))]);
const CARD_PAGE = /<html [^>]*data-page="card"/;

/**
 * How a page fetched from the public address differs from what this build sends: headers, scripts, styles, form targets, the bytes of
 * the files. Empty if it does not. PCI DSS 4.0.1, 11.6.1: changes to pages as received by buyers' browsers must be detected.
 */
export function differences({ headers, html, files }: FetchedPage): string[] {
  const headersOff = Object.entries(PAGE_HEADERS)
    .filter(([name, value]) => headers.get(name) !== value)
    .map(([name]) => `header ${name}: ${headers.get(name) ?? 'absent'}`);
  const tags = activeTags(html);
  const expected = CARD_PAGE.test(html) ? CARD_PAGE_TAGS : EXPECTED_TAGS;
  const foreign = tags.filter((tag) => !expected.has(tag)).map((tag) => `not ours: ${tag}`);
  const missing = [...expected].filter((tag) => !tags.includes(tag)).map((tag) => `missing: ${tag}`);
  const twice = tags.length > new Set(tags).size ? ['a tag that is there twice'] : [];
  const leads = [...html.matchAll(FORM_ACTION)]
    .filter(([, action = '']) => !/^\/(?!\/)/.test(action))
    .map(([, action = '']) => `a form that leads to ${URL.parse(action)?.origin ?? 'nowhere known'}`);
  const changed = Object.values(ASSETS)
    .filter(({ path, bytes }) => hashOf(files.get(path)) !== hashOf(bytes))
    .map(({ path }) => `file ${path}: ${hashOf(files.get(path))}`);
  return [...headersOff, ...foreign, ...missing, ...twice, ...leads, ...changed].slice(0, TOLD_MAX).map((text) => text.slice(0, TEXT_MAX));
}

function hashOf(bytes: Buffer | undefined): string {
  return bytes === undefined ? 'absent' : createHash('sha256').update(bytes).digest('hex');
}
