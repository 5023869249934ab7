/** A page as a browser without JavaScript sees it. */
export type Page = { readonly url: string; readonly status: number; readonly html: string };

/** A control that a form submission would include. */
type Control = { readonly name: string; readonly value: string; readonly autocomplete: string; readonly type: string };

const HOPS_MAX = 12;
const TIMEOUT_MS = 30_000;

/**
 * Navigates pages like a browser without JavaScript: cookies, redirects, refreshes, forms. Never leaves `origins`: if a
 * page leads elsewhere, stops at the last page of ours.
 */
export function createBrowser(origins: readonly string[]) {
  const cookies = new Map<string, Map<string, string>>();

  async function load(url: string, init: RequestInit = {}): Promise<Page> {
    let next: { url: string; init: RequestInit } = { url, init };
    let last: Page | undefined;
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      const { origin } = new URL(next.url);
      if (!origins.includes(origin)) {
        if (last === undefined) throw new Error(`${origin} is not a page of this environment`);
        return last;
      }
      const response = await fetch(next.url, {
        ...next.init,
        headers: new Headers([...Object.entries(headersFor(origin)), ...new Headers(next.init.headers)]),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      keepCookies(origin, response);
      const page = { url: next.url, status: response.status, html: await response.text() };
      const leadsTo = response.headers.get('location') ?? refreshOf(page.html);
      if (leadsTo === undefined) return page;
      // A redirect response is not a page to stop at.
      if (response.headers.get('location') === null) last = page;
      next = { url: new URL(leadsTo, next.url).href, init: { method: 'GET' } };
    }
    throw new Error('too many redirects between the pages');
  }

  const headersFor = (origin: string): Record<string, string> => ({
    Accept: 'text/html',
    'Accept-Language': 'en',
    Cookie: [...(cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
  });

  function keepCookies(origin: string, response: Response): void {
    const jar = cookies.get(origin) ?? new Map<string, string>();
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';')[0] ?? '';
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    cookies.set(origin, jar);
  }

  return {
    open: (url: string) => load(url),
    /**
     * Submits the first form that has `control`, filled in by `fill`; a button is pressed only if `fill` gives it a
     * value.
     */
    async submit(page: Page, control: string, fill: (control: Control) => string | undefined): Promise<Page> {
      const form = formWith(page.html, control);
      if (form === undefined) throw new Error(`the page ${titleOf(page)} has no field ${control}`);
      const body = new URLSearchParams();
      for (const one of controlsOf(form)) {
        const value = fill(one);
        if (value !== undefined) body.set(one.name, value);
        else if (one.type === 'hidden') body.set(one.name, one.value);
      }
      const tag = /<form\b[^>]*>/i.exec(form)?.[0] ?? '';
      const action = new URL(attribute(tag, 'action') ?? '', page.url).href;
      const headers = { Origin: new URL(page.url).origin, 'Sec-Fetch-Site': 'same-origin' };
      return load(action, { method: 'POST', body, headers });
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;

/** Whether a page has a field or button of this name. */
export function hasControl(page: Page, control: string): boolean {
  return formWith(page.html, control) !== undefined;
}

/** The target of a waiting page's "check again" link; undefined on any other page. */
export function checkLinkOf(page: Page): string | undefined {
  const tag = /<a\b[^>]*\sdata-check\b[^>]*>/i.exec(page.html)?.[0];
  const href = tag === undefined ? undefined : attribute(tag, 'href');
  return href === undefined ? undefined : new URL(href, page.url).href;
}

/** The page's title as plain text. */
export function titleOf(page: Page): string {
  return unescape(/<title>([\s\S]*?)<\/title>/i.exec(page.html)?.[1] ?? '').trim();
}

/** `control` is a name or an autocomplete token. */
function formWith(html: string, control: string): string | undefined {
  const forms = html.match(/<form\b[\s\S]*?<\/form>/gi) ?? [];
  return forms.find((form) => controlsOf(form).some(({ name, autocomplete }) => name === control || autocomplete === control));
}

function controlsOf(form: string): Control[] {
  return [...form.matchAll(/<(input|button|select|textarea)\b[^>]*>/gi)].flatMap(([tag, element]) => {
    const name = attribute(tag, 'name');
    if (name === undefined) return [];
    const type = attribute(tag, 'type') ?? (element?.toLowerCase() === 'button' ? 'submit' : 'text');
    return [{ name, type, value: attribute(tag, 'value') ?? '', autocomplete: attribute(tag, 'autocomplete') ?? '' }];
  });
}

/** Where a page redirects without JavaScript. */
function refreshOf(html: string): string | undefined {
  const tag = /<meta\b[^>]*http-equiv="refresh"[^>]*>/i.exec(html)?.[0];
  const content = tag === undefined ? undefined : attribute(tag, 'content');
  return content === undefined ? undefined : /url=(.+)$/i.exec(content)?.[1]?.trim();
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  const text = value?.[1] ?? value?.[2] ?? value?.[3];
  return text === undefined ? undefined : unescape(text);
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
