import MiniSearch from 'minisearch';
import type { SearchEntry } from '../search-entry.ts';

// The search of all pages. Its list is loaded when somebody begins to search.

const FOUND_MAX = 12;
const root = document.querySelector<HTMLMetaElement>('meta[name="docs-root"]')?.content ?? './';
const input = document.querySelector<HTMLInputElement>('#search');
const found = document.querySelector<HTMLElement>('#found');
const count = document.querySelector<HTMLElement>('#found-count');

/** "refund" and "refunds" are one word, and what others call webhooks are callbacks here. */
const wordOf = (term: string): string =>
  term
    .toLowerCase()
    .replace(/(?<=\w{3})s$/, '')
    .replace(/^webhook$/, 'callback');

type Index = { readonly entries: readonly SearchEntry[]; readonly search: MiniSearch };

async function load(): Promise<Index> {
  const response = await fetch(`${root}search.json`);
  const entries = (await response.json()) as readonly SearchEntry[];
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    // `createCardPayment` is found by its words, too; `payment.completed` by both of its.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => [word, ...word.split(/(?<=[a-z])(?=[A-Z])/)]),
    processTerm: wordOf,
    searchOptions: {
      boostDocument: (id) => entries[Number(id)]?.weight ?? 1,
      boost: { title: 4, page: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      combineWith: 'AND',
    },
  });
  search.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return { entries, search };
}

function show({ entries, search }: Index, words: string): void {
  if (found === null || count === null) return;
  const hits = search.search(words).slice(0, FOUND_MAX);
  const links = hits.flatMap(({ id }) => entries[Number(id)] ?? []).map(linkTo);
  found.replaceChildren(...links);
  found.hidden = words === '';
  if (words !== '' && links.length === 0) found.textContent = 'Nothing found';
  count.textContent = words === '' ? '' : `${String(links.length)} found`;
}

function linkTo({ title, page, url, text }: SearchEntry): HTMLElement {
  const link = document.createElement('a');
  link.href = root + url;
  const strong = document.createElement('strong');
  strong.textContent = title;
  const where = document.createElement('small');
  where.textContent = title === page ? '' : page;
  const about = document.createElement('span');
  about.textContent = text;
  link.append(strong, ' ', where, about);
  return link;
}

function start(field: HTMLInputElement, list: HTMLElement): void {
  let index: Promise<Index> | undefined;
  const search = async () => {
    index ??= load();
    show(await index, field.value.trim());
  };
  const close = () => {
    list.hidden = true;
  };
  field.hidden = false;
  field.addEventListener('focus', () => void search());
  field.addEventListener('input', () => void search());
  list.addEventListener('click', close);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== field) close();
  });
  document.addEventListener('keydown', (event) => {
    onKey(event, field, list);
  });
}

/** `/` goes to the search, arrows through what was found, Escape back, Enter to the first. */
function onKey(event: KeyboardEvent, field: HTMLInputElement, list: HTMLElement): void {
  const active = document.activeElement;
  if (event.key === '/' && !(active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement)) {
    event.preventDefault();
    field.focus();
  }
  if (active !== field && !list.contains(active)) return;
  if (event.key === 'Escape') {
    field.focus();
    list.hidden = true;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    const stops: HTMLElement[] = [field, ...list.querySelectorAll('a')];
    event.preventDefault();
    stops[stops.findIndex((stop) => stop === active) + step]?.focus();
  }
  if (event.key === 'Enter' && active === field) list.querySelector('a')?.click();
}

if (input !== null && found !== null) start(input, found);
