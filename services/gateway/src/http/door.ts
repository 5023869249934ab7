import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { toApiError } from '@pay/shared/http/error-middleware.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { pathOf } from '@pay/shared/signing/canonical-request.ts';
import { httpDuration, httpRequests } from '@pay/shared/telemetry/metrics.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Authenticator } from './authenticate.ts';
import { AuthenticationError, renderUnauthorized } from './unauthorized.ts';
import { ClientGoneError } from './read-body.ts';
import { replyOf, send, type Reply } from './reply.ts';
import { readShape } from './request-shape.ts';
import { findRoute, type ServiceName } from './routes.ts';

type Options = {
  readonly environment: 'TEST' | 'LIVE';
  readonly log: Log;
  readonly authenticator: Authenticator;
  readonly upstreams: Readonly<Record<ServiceName, Upstream>>;
};

/** What the line about a call says. Filled while the call goes through the door. */
export type CallRecord = {
  readonly requestId: string;
  readonly address: string;
  route: string;
  partner?: string;
  fingerprint?: string;
  cause?: string;
};

/** The client went away: not a status of ours, but a number that logs and metrics can count. */
const CLIENT_GONE = 499;

/**
 * The door as a plain request handler; express would cost a third of its budget. In order: shape, partner and key, clock, signature, limits,
 * nonce, route, service. Decisions "order of the checks".
 */
export function createDoor(options: Options): RequestListener {
  const { log, authenticator, upstreams } = options;

  async function answer(req: IncomingMessage, call: CallRecord): Promise<Reply> {
    const shape = readShape(req);
    const { partner, body } = await authenticator.authenticate(req, shape, call);
    const route = findRoute(shape.method, pathOf(shape.target));
    if (route.kind === 'unknown') throw new ApiError('NOT_FOUND');
    call.route = route.pattern;
    if (route.kind === 'wrong-method') throw new ApiError('METHOD_NOT_ALLOWED', { allow: route.allow });
    const { method, target, idempotencyKey, contentType } = shape;
    const { partnerId } = partner;
    const { requestId } = call;
    const forwarded = { method, target, partnerId, requestId, idempotencyKey, contentType, body };
    const replied = await upstreams[route.service].ask(forwarded);
    if (replied.status !== 401) return replied;
    // The partner is authenticated; a service that says otherwise does not know our key.
    log.error('a service refused our token', { requestId, upstream: route.service });
    throw new ApiError('SERVICE_UNAVAILABLE');
  }

  function refuse(thrown: unknown, call: CallRecord): Reply {
    if (thrown instanceof AuthenticationError) {
      return replyOf(renderUnauthorized(thrown, options.environment), call.requestId);
    }
    const error = toApiError(thrown);
    call.cause ??= error.code;
    if (error.code === 'INTERNAL_ERROR') log.error('unexpected error', { requestId: call.requestId, err: thrown });
    else if (!(thrown instanceof ApiError))
      log.warn('temporarily unavailable', { requestId: call.requestId, err: thrown });
    return replyOf(error, call.requestId);
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const call: CallRecord = { requestId: randomUUID(), address: req.socket.remoteAddress ?? '', route: 'none' };
    res.on('close', () => {
      record(log, req, res, call, performance.now() - startedAt);
    });
    try {
      const reply = await answer(req, call).catch((thrown: unknown) => {
        if (thrown instanceof ClientGoneError) throw thrown;
        return refuse(thrown, call);
      });
      send(req, res, reply, call.requestId);
    } catch (err) {
      if (!(err instanceof ClientGoneError)) log.error('could not answer', { requestId: call.requestId, err });
      res.destroy();
    }
  }

  return (req, res) => {
    void serve(req, res);
  };
}

/** One line and one metric a call. Issue "Key rollover and audit": no bodies, no secrets, the pattern of the path only. */
function record(log: Log, req: IncomingMessage, res: ServerResponse, call: CallRecord, ms: number): void {
  const method = req.method ?? '';
  const status = res.writableFinished ? res.statusCode : CLIENT_GONE;
  const { requestId, address, route, partner, fingerprint, cause } = call;
  httpRequests.inc({ listener: 'api', method, route, status });
  httpDuration.observe({ listener: 'api', method, route }, ms / 1_000);
  const outcome = status < 400 ? 'accepted' : status < 500 ? 'refused' : 'failed';
  const durationMs = Math.round(ms * 100) / 100;
  log.info('call', { requestId, partner, fingerprint, method, route, status, outcome, cause, durationMs, address });
}
