import { fetch, Headers } from 'undici';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import { mediaTypeOf } from '@pay/shared/http/media-type.ts';
import type { Request, RequestHandler } from 'express';

/** Longer than the public API's own deadlines: it decides, not this timeout. */
const TIMEOUT_MS = 30_000;
/** Everybody may use it, so it must not take what operators need. */
const AT_ONCE_MAX = 16;

/** What a partner's request consists of. Cookies, above all, are not: they are the operator's. */
const SENT = ['authorization', 'idempotency-key', 'content-type'] as const;
const RETURNED = ['x-request-id', 'idempotency-replayed', 'retry-after', 'allow'] as const;

/** Instead of a stream's events. */
const STREAM = Buffer.from(JSON.stringify({ note: 'This is a stream. Follow it with `pay callbacks listen`.' }));

/** `GET /docs/try.json` says to the reference's page that it may send, and where. */
export const offerTryItRoute: RequestHandler = (_req, res) => {
  res.json({ forwardsTo: 'try' });
};

/**
 * Everything below `/docs/try`: passes a request that the reference's page signed on to the public API of this TEST
 * environment, and returns its answer. It adds nothing that authenticates: whoever signs could call the API directly.
 * See decisions/console-pages.
 * @throws ApiError 404 for a path that the API has not, 401 without a signature, 503 if the API does not answer or too
 *   many wait for it
 */
export function forwardTryItRoute(apiUrl: string): RequestHandler {
  let waiting = 0;
  return async (req, res) => {
    const url = urlOf(req, apiUrl);
    // A page of another origin cannot send this header without being allowed to, and nobody allows it.
    if (req.headers.authorization === undefined) throw new ApiError('UNAUTHORIZED');
    if (waiting >= AT_ONCE_MAX) throw new ApiError('SERVICE_UNAVAILABLE');
    waiting += 1;
    try {
      const { status, headers, body } = await ask(url, req);
      for (const name of RETURNED) {
        const value = headers.get(name);
        if (value !== null) res.set(name, value);
      }
      // Whatever the API says, a browser never takes it for a page of this origin.
      res.set({ 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox", 'X-Content-Type-Options': 'nosniff' });
      res
        .status(status)
        .type(mediaTypeOf(headers.get('content-type')) === 'text/csv' ? 'text/plain' : 'application/json')
        .send(body);
    } finally {
      waiting -= 1;
    }
  };
}

/** The API's address of the target as signed: what follows `/docs/try`, to the byte. */
function urlOf(req: Request, apiUrl: string): URL {
  const target = req.originalUrl.slice('/docs/try'.length);
  if (!/^\/(?:api|v1)\//.test(target)) throw new ApiError('NOT_FOUND');
  const url = new URL(`${new URL(apiUrl).origin}${target}`);
  // A URL resolves `..` and escapes by itself: what is not the same afterwards leads somewhere else.
  if (`${url.pathname}${url.search}` !== target) throw new ApiError('NOT_FOUND');
  return url;
}

async function ask(url: URL, req: Request) {
  const headers = new Headers();
  for (const name of SENT) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const body = rawBody(req);
  try {
    const response = await fetch(url, {
      method: req.method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    // A stream would hold its place for as long as it lasts.
    const isStream = mediaTypeOf(response.headers.get('content-type')) === 'text/event-stream';
    if (isStream) await response.body?.cancel();
    const answer = isStream ? STREAM : Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body: answer };
  } catch {
    throw new ApiError('SERVICE_UNAVAILABLE', { text: 'the public API does not answer' });
  }
}
