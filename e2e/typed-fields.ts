import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page, Request } from 'playwright-core';

/** The result of typing a text into one field of a page. */
export type Typed = {
  /** Pattern of the page: `/payments/:id`. */
  readonly page: string;
  /** The field's name on the page. */
  readonly field: string;
  readonly kind: string;
  /** Requests that contained the text. None: the page refused it itself. */
  readonly sent: readonly Sent[];
};
type Sent = { readonly method: string; readonly path: string; readonly status: number };

/** Several things of a kind have the same fields; some show them only in one state. */
const PAGES_OF_A_KIND = 4;
const FIELDS =
  'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [readonly], [disabled]), textarea:not([readonly], [disabled])';
/** Those that can be typed into now. */
const fieldsOf = (scope: Locator): Locator => scope.locator(FIELDS).filter({ visible: true });
/** What is in a form fills it in, as the ranges of days do. */
const OPENERS = 'button:not([type=submit], [disabled], form button)';

/** `/payments/4-ooews` → `/payments/:id`. */
const patternOf = (path: string): string => path.replaceAll(/(?<=\/[^/]+)\/[^/]+/g, '/:id');
/** The header is on every page: its field is typed into where it leads. */
const HEADER_PAGE = '/search';

type Rules = {
  /** Every text that is typed anywhere. */
  readonly all: readonly string[];
  /** What is typed into the nth field that is found on pages of a kind: each text with its kind. */
  readonly textsFor: (page: string, field: string, nth: number) => readonly (readonly [kind: string, text: string])[];
};
type Tab = { readonly page: Page; readonly requests: Requests };

/**
 * Visits every page that links lead to from `start`, opens what every button opens, and types texts into each field found,
 * one at a time with valid fillers in the others, and submits. Requests without one of these texts are blocked:
 * nothing is done but typing. So tabs of one person can share the work; each of them mostly waits for answers.
 */
export async function typeEverywhere(
  tabs: readonly Page[],
  start: readonly string[],
  rules: Rules,
): Promise<{ readonly pages: readonly string[]; readonly typed: readonly Typed[] }> {
  const typed: Typed[] = [];
  /** By the pattern of their pages: how many were visited, and the fields that they have. */
  const kinds = new Map<string, { visited: number; readonly fields: Set<string> }>();
  const visit = async (tab: Tab, path: string): Promise<readonly string[]> => {
    const pattern = patternOf(path);
    const kind = kinds.get(pattern) ?? { visited: 0, fields: new Set() };
    kinds.set(pattern, kind);
    kind.visited += 1;
    if (kind.visited > PAGES_OF_A_KIND) return [];
    const onPage = await typeOnPage(tab, path, rules, kind.fields);
    typed.push(...onPage.typed);
    return onPage.links;
  };
  const watched = await Promise.all(tabs.map(async (page): Promise<Tab> => ({ page, requests: await watchRequests(page, rules.all) })));
  const known = new Set<string>();
  for (let paths = [...start]; paths.length > 0;) {
    for (const path of paths) known.add(path);
    const links: string[] = [];
    const share = async (tab: Tab) => {
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) links.push(...(await visit(tab, path)));
    };
    await Promise.all(watched.map(share));
    paths = [...new Set(links)].filter((link) => !known.has(link));
  }
  return { pages: [...kinds.keys()], typed };
}

/**
 * Types into the fields of one page.
 * @param known the fields that other pages of its kind have had; those of this page are added
 */
async function typeOnPage(
  tab: Tab,
  path: string,
  { textsFor }: Rules,
  known: Set<string>,
): Promise<{ readonly links: readonly string[]; readonly typed: readonly Typed[] }> {
  const { page, requests } = tab;
  const typed: Typed[] = [];
  await openPage(tab, path);
  const links = await linksOf(page);
  const untouched = await stateOf(page);
  for (const opener of [undefined, ...(await openersOf(page))]) {
    if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape');
    if ((await stateOf(page)) !== untouched) await openPage(tab, path);
    const scope = await scopeOf(page, opener, requests);
    if (scope === undefined) continue;
    const count = await fieldsOf(scope).count();
    const isAsItWas = async () => (await fieldsOf(scope).count()) === count && new URL(page.url()).pathname === path;
    /** What was sent may have closed a dialog or left the page; false if it cannot be reopened. */
    const again = async () => {
      for (let tries = 0; tries < 3 && !(await isAsItWas()); tries += 1) {
        await openPage(tab, path);
        await scopeOf(page, opener, requests);
      }
      return isAsItWas();
    };
    for (let index = 0; index < count && (await again()); index += 1) {
      const field = fieldsOf(scope).nth(index);
      const name = `${opener === undefined ? '' : `${opener.section} ${opener.text}: `}${await nameOf(field)}`.trimStart();
      if (known.has(name)) continue;
      const texts = textsFor(patternOf(path), name, known.size);
      known.add(name);
      for (const [kind, text] of texts) {
        if (!(await again())) continue;
        requests.sent.length = 0;
        await typeAndSend(field, text, requests);
        // A dialog that asks for confirmation before it sends.
        if (requests.sent.length === 0) await confirmOnce(page, requests);
        typed.push({ page: patternOf(path), field: name, kind, sent: [...requests.sent] });
      }
    }
  }
  return { links, typed };
}

/** An address that no page has. */
const NOWHERE = '/nowhere';

/** Shows a page in its first state. As a link of the console does it: nothing is loaded anew. */
async function openPage({ page, requests }: Tab, path: string): Promise<void> {
  // The page that is shown would keep its state.
  const isShown = new URL(page.url()).pathname === path;
  for (const to of isShown ? [NOWHERE, path] : [path]) {
    await page.evaluate((at) => {
      history.pushState(null, '', at);
    }, to);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await requests.quiet();
  }
  await page.locator('details').evaluateAll((folded) => {
    for (const one of folded) one.setAttribute('open', '');
  });
}

/** All requests of the page, and those that contained one of the texts; changes without one are blocked. */
async function watchRequests(page: Page, texts: readonly string[]) {
  /** A set: what was already under way ends too. */
  const pending = new Set<Request>();
  const sent: Sent[] = [];
  page.on('request', (request) => pending.add(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('response', (response) => {
    const request = response.request();
    const body = request.postData() ?? '';
    const { pathname, searchParams } = new URL(request.url());
    const carries = (text: string) => body.includes(text) || [...searchParams.values()].includes(text);
    if (texts.some(carries)) sent.push({ method: request.method(), path: pathname, status: response.status() });
  });
  // Not `page.route`, which intercepts and reloads the scripts as well.
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Fetch.requestPaused', ({ requestId, request: { method, postData = '' } }) => {
    const isHarmless = method === 'GET' || texts.some((text) => postData.includes(text));
    const decided = isHarmless
      ? devTools.send('Fetch.continueRequest', { requestId })
      : devTools.send('Fetch.fulfillRequest', { requestId, responseCode: 400, body: HELD_BACK });
    // A page that is left takes its requests with it.
    decided.catch(() => undefined);
  });
  await devTools.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  return {
    sent,
    /** Waits until the page has received and shown everything it requested, including follow-up requests. */
    quiet: async () => {
      do {
        while (pending.size > 0) await wait(10);
      } while ((await page.evaluate(IS_LOADING_AFTER_TWO_FRAMES)) === true || pending.size > 0);
    },
  };
}

const HELD_BACK = Buffer.from(JSON.stringify({ error: 'held back by the test' })).toString('base64');
const IS_LOADING_AFTER_TWO_FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => document.querySelector('[aria-label="Loading"]') !== null)`;

type Requests = Awaited<ReturnType<typeof watchRequests>>;

async function linksOf(page: Page): Promise<string[]> {
  const hrefs = await page
    .locator('a[href^="/"]:not([download])')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return hrefs.map((href) => href.replace(/[?#].*$/, '')).filter((path) => !/^\/(?:api|docs)(?:\/|$)/.test(path) && path !== '/');
}

/** A button that may open something: its text, and the heading of its section. */
type Opener = { readonly text: string; readonly section: string };

/** Each once: the rows of a table have the same. */
async function openersOf(page: Page): Promise<readonly Opener[]> {
  const found = await page.locator(`#main ${OPENERS} >> visible=true`).evaluateAll((buttons) =>
    buttons.map((button) => ({
      // Without counts, which may change meanwhile.
      text: button.textContent.replace(/\(\d+\)/, '').trim(),
      section: button.closest('section')?.querySelector('h2')?.textContent ?? '',
    })),
  );
  const openers = new Map(found.map((opener) => [`${opener.section}: ${opener.text}`, opener]));
  return [...openers.values()].filter(({ text }) => text !== '' && text !== 'Clear');
}

/** What a person sees of a page's state: its address, what it opens and has open, and how many fields it has. */
async function stateOf(page: Page): Promise<string> {
  const openers = await page
    .locator(`#main ${OPENERS} >> visible=true`)
    .evaluateAll((buttons) =>
      buttons.map((button) => [button.textContent.replace(/\(\d+\)/, ''), button.ariaSelected, button.ariaExpanded, button.ariaPressed]),
    );
  const { pathname, search } = new URL(page.url());
  return JSON.stringify([pathname, search, openers, await fieldsOf(page.locator('body')).count()]);
}

/** Where the fields are: on the page itself, or in what a button opened; undefined if it opened nothing. */
async function scopeOf(page: Page, opener: Opener | undefined, requests: Requests): Promise<Locator | undefined> {
  if (opener === undefined) {
    return page.locator(new URL(page.url()).pathname === HEADER_PAGE ? 'body' : 'main, #main').first();
  }
  const before = await fieldsOf(page.locator('body')).count();
  const { text, section } = opener;
  const sections = page.locator('#main section').filter({ has: page.locator('h2', { hasText: section }) });
  const buttons = (section === '' ? page.locator('#main') : sections).locator(OPENERS).filter({ visible: true });
  // "Resolve", not "Resolved"; with its count, if it has one.
  const exact = buttons.filter({
    hasText: new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\s*(?:\\(\\d+\\))?\\s*$`),
  });
  const button = ((await exact.count()) > 0 ? exact : buttons.filter({ hasText: text })).first();
  // An earlier submission may have removed the button's purpose.
  if ((await button.count()) === 0) return undefined;
  await button.click();
  await requests.quiet();
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) > 0) return dialog.last();
  return (await fieldsOf(page.locator('body')).count()) > before ? page.locator('#main') : undefined;
}

const nameOf = (field: Locator): Promise<string> =>
  field.evaluate((node) => {
    const { labels, name } = node as HTMLInputElement;
    return labels?.[0]?.textContent.replace('*', '').trim() ?? name;
  });

/** The other fields are filled according to their placeholder; the browser's own validation is bypassed. */
async function typeAndSend(field: Locator, text: string, requests: Requests): Promise<void> {
  const typed = await field.elementHandle();
  const before = await typed.evaluate(async (node, fields) => {
    for (const other of node.closest('form')?.querySelectorAll<HTMLInputElement>(fields) ?? []) {
      if (other === node || other.value !== '' || !other.checkVisibility()) continue;
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(other), 'value')?.set?.call(other, other.getAttribute('placeholder') ?? '1');
      other.dispatchEvent(new Event('input', { bubbles: true }));
      // Lets the page react before the next one.
      await new Promise((done) => setTimeout(done));
    }
    node.removeAttribute('maxlength');
    return (node as HTMLInputElement).value;
  }, FIELDS);
  await typed.fill(text);
  await typed.evaluate((node) => {
    const form = node.closest('form');
    if (form === null) throw new Error('a field outside of every form');
    form.noValidate = true;
    form.requestSubmit();
  });
  await requests.quiet();
  // Restored for the next field; if the submission removed the page, there is nothing to restore.
  await typed
    .evaluate((node, value) => {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(node), 'value')?.set?.call(node, value);
      node.dispatchEvent(new Event('input', { bubbles: true }));
    }, before)
    .catch(() => undefined);
}

async function confirmOnce(page: Page, requests: Requests): Promise<void> {
  const submit = page.getByRole('dialog').locator('button[type=submit]:not([disabled])');
  const others = fieldsOf(page.getByRole('dialog'));
  if ((await submit.count()) !== 1 || (await others.count()) > 0) return;
  await submit.click();
  await requests.quiet();
}
