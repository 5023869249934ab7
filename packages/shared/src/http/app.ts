import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, invalidField } from '../errors/api-error.ts';
import type { Log } from '../logging/logger.ts';
import { withRequestContext } from '../logging/request-context.ts';
import { httpDuration, httpRequests } from '../telemetry/metrics.ts';
import { inSpan } from '../telemetry/tracing.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { errorMiddleware } from './error-middleware.ts';
import { isStream } from './event-stream.ts';
import { isUtf8Of } from './media-type.ts';
import { parseJson } from '../json/json-body.ts';
import { routeOf } from './route-of.ts';

/** Larger bodies are answered 413 at once and not stored. See spec/decisions#unknown-body-fields. */
export const BODY_BYTES_MAX = 64 * 1024;

type Options = {
  /** Names the listener in logs and metrics: `api`, `form`, `operator`. */
  readonly listener: string;
  readonly log: Log;
  /** Where the request id comes from: a trusted caller's header, or always a new one at the edge. */
  readonly requestIdFrom: 'caller' | 'edge';
  /** Registers the routes: this is the route list of the service. */
  readonly routes: (app: Express) => void;
  /** Renders an error if the user does not expect JSON (the checkout). */
  readonly onError?: (error: ApiError, req: Request, res: Response) => void;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * An Express application, configured like every listener of this system: a request id, the raw body kept as bytes, one
 * structured log line and one metric per response, one error middleware, and our own 404.
 */
export function createApp(options: Options): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(observe(options));
  app.use(async (req: Request, _res: Response, next: NextFunction) => {
    if (pathOf(req.url).includes('%00')) throw new ApiError('NOT_FOUND');
    req.body = await readBody(req);
    next();
  });
  options.routes(app);
  app.use(() => {
    throw new ApiError('NOT_FOUND');
  });
  app.use(errorMiddleware(options.log, options.onError));
  return app;
}

const HEADERS = Object.entries(ANSWER_HEADERS);

function observe({ listener, log, requestIdFrom }: Options): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const given = req.headers['x-request-id'];
    const requestId = requestIdFrom === 'caller' && typeof given === 'string' && UUID.test(given) ? given : randomUUID();
    const startedAt = process.hrtime.bigint();
    let traceId: string | undefined;
    const closed = Promise.withResolvers<undefined>();
    for (const [name, value] of HEADERS) res.setHeader(name, value);
    res.setHeader('X-Request-Id', requestId);
    res.on('close', () => {
      closed.resolve(undefined);
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const route = routeOf(req);
      // 499: the client disconnected before the response.
      const status = res.writableFinished ? res.statusCode : 499;
      httpRequests.inc({ listener, method: req.method, route, status });
      if (!isStream(res)) httpDuration.observe({ listener, method: req.method, route }, seconds, traceId);
      withRequestContext({ requestId }, () => {
        log.info('request', {
          listener,
          method: req.method,
          route,
          status,
          durationMs: Math.round(seconds * 1e5) / 100,
          traceId,
        });
      });
    });
    const traceparent = requestIdFrom === 'caller' ? req.get('traceparent') : undefined;
    inSpan({ name: req.method, kind: 'server', traceparent }, async (span) => {
      ({ traceId } = span);
      withRequestContext({ requestId }, next);
      await closed.promise;
      const route = routeOf(req);
      span.describe(`${req.method} ${route}`, { 'http.route': route, 'http.response.status_code': res.statusCode });
    }).catch(next);
  };
}

/** U+0000, which no id has: PostgreSQL fails on a value with it. A query is read by `validateQuery`. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/**
 * Reads the whole body. (Express's own reader refuses a body that is too large only after its last byte.) Node discards
 * the rest of a refused body, for as long as a request may take.
 * @throws ApiError 413 above the limit, 415 for a compressed body, 400 if the client disconnected
 */
async function readBody(req: Request): Promise<Buffer> {
  if (isEncoded(req)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw new ApiError('PAYLOAD_TOO_LARGE');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) reject(new ApiError('PAYLOAD_TOO_LARGE'));
    else chunks.push(chunk);
  };
  const onClose = () => {
    reject(invalidField('body', 'ended too early'));
  };
  req.on('data', onData);
  req.once('end', () => {
    // The following close is the ordinary one: it should not cost an error with a stack for every request.
    req.off('close', onClose);
    resolve(Buffer.concat(chunks));
  });
  req.once('error', onClose);
  req.once('close', onClose);
  try {
    return await promise;
  } finally {
    req.off('data', onData).off('close', onClose).resume();
  }
}

/** Whether the body is compressed. A list of codings may have empty elements, in any case of letters: RFC 9110, 8.4 and 5.6.1. */
export function isEncoded(req: IncomingMessage): boolean {
  const codings = (req.headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  return codings.some((coding) => coding !== '' && coding !== 'identity');
}

/** The body's bytes exactly as received; empty if there was none. */
export function rawBody(req: Request): Buffer {
  const body: unknown = req.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Lowercase hex SHA-256 of the body's bytes. */
export function bodySha256(req: Request): string {
  return createHash('sha256').update(rawBody(req)).digest('hex');
}

/**
 * The JSON body.
 * @throws ApiError 415 if the content type is not application/json in UTF-8, 400 as `parseJson`
 */
export function jsonBody(req: Request): unknown {
  if (!isUtf8Of('application/json', req.headers['content-type'])) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return parseJson(rawBody(req));
}
