import type { Request } from 'express';

/**
 * Whether a form was sent from our own page. The unguessable token in the address already keeps strangers out; this
 * keeps a stranger who was given the link from submitting in the buyer's browser. Sec-Fetch-Site decides where the
 * browser sends it. Else Origin does, unless it is `null`: that is what browsers send for a form of a page with
 * `Referrer-Policy: no-referrer`, ours among them.
 */
export function isFromOurPage(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = req.headers;
  if (origin === undefined || origin === 'null') return true;
  return URL.parse(origin)?.host === host;
}

/**
 * Whether a browser came with its window, as a bank's page sends it: not a picture, a script or a `fetch` in somebody's page, of
 * which one page can send hundreds. What says nothing about that is an old browser, or none.
 */
export function isVisit(req: Request): boolean {
  const mode = req.headers['sec-fetch-mode'];
  return mode === undefined || mode === 'navigate' || isFromOurPage(req);
}
