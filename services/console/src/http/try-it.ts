import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import type { Request, RequestHandler } from 'express';

/** Longer than the public API's own deadlines: it decides, not this timeout. */
const TIMEOUT_MS = 30_000;
/** Everybody may use it, so it must not take what operators need. */
const AT_ONCE_MAX = 16;

/** What a partner's request consists of. Cookies, above all, are not: they are the operator's. */
const SENT = ['authorization', 'idempotency-key', 'content-type'] as const;
const RETURNED = ['x-request-id', 'idempotency-replayed', 'retry-after', 'allow'] as const;

/** `GET /docs/try.json` says to the reference's page that it may send, and where. */
export const offerTryItRoute: RequestHandler = (_req, res) => {
  res.json({ forwardsTo: 'try' });
};

/**
 * Everything below `/docs/try`: passes a request that the reference's page signed on to the public API of this TEST
 * environment, and returns its answer. It adds nothing that authenticates: whoever signs could call the API directly.
 * ADR 0200.
 * @throws ApiError 404 for a path that the API has not, 401 without a signature, 503 if the API does not answer or too
 *   many wait for it
 */
export function forwardTryItRoute(apiUrl: string): RequestHandler {
  let waiting = 0;
  return async (req, res) => {
    const target = targetOf(req);
    // A page of another origin cannot send this header without being allowed to, and nobody allows it.
    if (req.headers.authorization === undefined) throw new ApiError('UNAUTHORIZED');
    if (waiting >= AT_ONCE_MAX) throw new ApiError('SERVICE_UNAVAILABLE');
    waiting += 1;
    try {
      const { status, headers, body } = await ask(`${new URL(apiUrl).origin}${target}`, req);
      for (const name of RETURNED) {
        const value = headers.get(name);
        if (value !== null) res.set(name, value);
      }
      // Whatever the API says, a browser never takes it for a page of this origin.
      res.set({ 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox", 'X-Content-Type-Options': 'nosniff' });
      res.status(status).type(headers.get('content-type')?.startsWith('text/csv') === true ? 'text/plain' : 'application/json').send(body);
    } finally {
      waiting -= 1;
    }
  }; // prettier-ignore
}

/** The target as signed: what follows `/docs/try`, to the byte. */
function targetOf(req: Request): string {
  const target = req.originalUrl.slice('/docs/try'.length);
  // Appended to the origin, any of these leads to the API and nowhere else.
  if (!/^\/(?:api|v1)\//.test(target)) throw new ApiError('NOT_FOUND');
  return target;
}

async function ask(url: string, req: Request) {
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
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  } catch {
    throw new ApiError('SERVICE_UNAVAILABLE', { text: 'the public API does not answer' });
  }
}
