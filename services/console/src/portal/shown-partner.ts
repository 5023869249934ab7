import type { Request } from 'express';

const ID = /^[A-Za-z0-9._-]{1,64}$/;
/** At the end of a link's query, where the page puts it. */
const IN_LINK = /[?&]portalPartner=([A-Za-z0-9._-]{1,64})$/;

/**
 * Which partner a page shows, and the URL that it asks for. Pages say it in the header X-Portal-Partner; a link to a file has
 * no headers and says it in its last parameter, `portalPartner`, which nobody else gets. Undefined if it says none.
 */
export function shownPartner(req: Request): { readonly shown: string | undefined; readonly url: string } {
  const [header, ...more] = req.headersDistinct['x-portal-partner'] ?? [];
  const inLink = IN_LINK.exec(req.originalUrl)?.[1];
  const url = req.originalUrl.replace(IN_LINK, '');
  if (header === undefined) return { shown: inLink, url };
  return { shown: more.length === 0 && ID.test(header) ? header : undefined, url };
}
