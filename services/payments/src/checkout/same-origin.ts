import type { Request } from 'express';

/**
 * Whether a form was sent from our own page. The unguessable token in the address already keeps strangers out; this
 * keeps a stranger who has the link from submitting in the buyer's browser. Sec-Fetch-Site decides if the
 * browser sends it. Otherwise Origin does, unless it is `null`: browsers send that for a form on a page with
 * `Referrer-Policy: no-referrer`, such as ours.
 */
export function isFromOurPage(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = req.headers;
  if (origin === undefined || origin === 'null') return true;
  return URL.parse(origin)?.host === host;
}

/**
 * Whether the request is a top-level navigation, as from a bank's page, and not an image, a script or a `fetch` of another page,
 * which could send hundreds. Old browsers, and clients that are no browsers, do not say, and pass.
 */
export function isVisit(req: Request): boolean {
  const mode = req.headers['sec-fetch-mode'];
  return mode === undefined || mode === 'navigate' || isFromOurPage(req);
}
