/** A card as a buyer types it. */
export type TypedCard = { readonly number: string; readonly expiry: string; readonly cvv: string };

const REDIRECTS = 10;

/**
 * Pays as a browser without JavaScript does: opens the checkout page, fills in the fields that a browser's autofill
 * would, submits, and follows the redirects. Returns the last page. Not for cards with a 3-D Secure page. If
 * the page asks whether the card may be saved, `agree` ticks the box; by default it stays empty. `userAgent` is the
 * browser's.
 */
export async function payAtCheckout(paymentUrl: string, card: TypedCard, { agree = false, userAgent = 'pay' } = {}): Promise<Page> {
  const browser = { cookies: new Map<string, string>(), userAgent };
  const page = await answerConsent(await browse(paymentUrl, { method: 'GET' }, browser), agree, browser);
  const form = /<form\b[^>]*method="post"[^>]*>[\s\S]*?<\/form>/gi;
  const html = page.html.match(form)?.find((candidate) => candidate.includes('cc-number'));
  if (html === undefined) throw new Error(`${new URL(page.url).origin} shows no card form (${String(page.status)})`);
  const fields = new URLSearchParams();
  for (const [tag] of html.matchAll(/<(?:input|button)\b[^>]*>/gi)) {
    const name = attribute(tag, 'name');
    if (name === undefined || attribute(tag, 'type') === 'checkbox') continue;
    fields.set(name, typed(card, attribute(tag, 'autocomplete') ?? '') ?? attribute(tag, 'value') ?? '');
  }
  const result = await submit(page.url, html, fields, browser);
  if (result.status >= 400) throw new Error(`the form answered ${String(result.status)} to the card`);
  return result;
}

/** What a browser keeps between two pages, and its user agent. */
type Browser = { readonly cookies: Map<string, string>; readonly userAgent: string };

/** A page as the browser shows it: where redirects led, and what is there. */
export type Page = { readonly url: string; readonly status: number; readonly html: string };

/** Passes the page that asks whether the card may be saved, if there is one. */
async function answerConsent(page: Page, agree: boolean, browser: Browser): Promise<Page> {
  const html = /<form\b[^>]*data-consent-form[^>]*>[\s\S]*?<\/form>/i.exec(page.html)?.[0];
  if (html === undefined) return page;
  const fields = new URLSearchParams(agree ? { agree: 'yes' } : {});
  for (const [tag] of html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/gi)) {
    fields.set(attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '');
  }
  return submit(page.url, html, fields, browser);
}

/** Submits a form of our pages. */
function submit(pageUrl: string, form: string, fields: URLSearchParams, browser: Browser): Promise<Page> {
  const { origin, href } = new URL(unescape(attribute(form, 'action') ?? ''), pageUrl);
  const headers = { origin, 'sec-fetch-site': 'same-origin' };
  return browse(href, { method: 'POST', body: fields, headers }, browser);
}

function typed(card: TypedCard, autocomplete: string): string | undefined {
  const [month, year] = card.expiry.split('/');
  const values: Record<string, string | undefined> = {
    'cc-number': card.number,
    'cc-exp': card.expiry,
    'cc-exp-month': month,
    'cc-exp-year': year,
    'cc-csc': card.cvv,
  };
  return values[autocomplete];
}

async function browse(url: string, init: RequestInit, { cookies, userAgent }: Browser): Promise<Page> {
  let next = { url, init };
  for (let hop = 0; hop < REDIRECTS; hop += 1) {
    const headers = new Headers(next.init.headers);
    headers.set('accept', 'text/html');
    headers.set('user-agent', userAgent);
    headers.set('accept-language', 'en');
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(next.url, {
      ...next.init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    const html = await response.text();
    if (location === null) return { url: next.url, status: response.status, html };
    next = { url: new URL(location, next.url).href, init: { method: 'GET' } };
  }
  throw new Error(`more than ${String(REDIRECTS)} redirects from ${new URL(url).origin}`);
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return value === undefined ? undefined : unescape(value);
}

function unescape(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
