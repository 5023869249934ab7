import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { logThrown, toApiError } from '@pay/shared/http/error-middleware.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { clientAddress, type TrustedProxies } from '@pay/shared/net/client-address.ts';
import { pathOf } from '@pay/signing/canonical-request.ts';
import { inSpan } from '@pay/shared/telemetry/tracing.ts';
import type { StreamedAnswer } from '../forwarding/forwarder.ts';
import type { RequestLog } from '../request-log/record.ts';
import type { Authenticator } from './authenticate.ts';
import { recordCall, type CallRecord } from './call-record.ts';
import type { ServiceCaller } from './call-service.ts';
import { AuthenticationError, renderUnauthorized } from './unauthorized.ts';
import { ClientGoneError } from './read-body.ts';
import { loggedRequest } from './logged-request.ts';
import { holdBack, replyOf, send, sendStream, type Reply } from './reply.ts';
import { findRoute } from './routes.ts';

type Options = {
  readonly environment: 'TEST' | 'LIVE';
  readonly log: Log;
  readonly authenticator: Authenticator;
  readonly proxies: TrustedProxies;
  readonly services: ServiceCaller;
  /** TEST only. */
  readonly requestLog: RequestLog | undefined;
};

/**
 * The public API handler. Plain `node:http`: Express would use a third of its CPU budget. In order: shape, partner and
 * key, clock, signature, limits, nonce, route, service. See spec/decisions#order-of-the-checks.
 */
export function createPublicApi(options: Options): RequestListener {
  const { log, authenticator, services, requestLog, proxies } = options;

  async function answer(req: IncomingMessage, call: CallRecord): Promise<Reply | StreamedAnswer> {
    const { shape, partner, body } = await authenticator.authenticate(req, call);
    const route = findRoute(shape.method, pathOf(shape.target));
    if (route.kind === 'unknown') throw new ApiError('NOT_FOUND');
    call.route = route.pattern;
    if (route.kind === 'wrong-method') throw new ApiError('METHOD_NOT_ALLOWED', { allow: route.allow });
    const { method, target, idempotencyKey, contentType } = shape;
    const { partnerId } = partner;
    const { requestId } = call;
    const request = { method, target, partnerId, requestId, idempotencyKey, contentType, body };
    return route.lane === 'stream' ? services.open(route, request) : services.ask(route, request);
  }

  function refuse(thrown: unknown, call: CallRecord): Reply {
    if (thrown instanceof AuthenticationError) {
      return replyOf(renderUnauthorized(thrown, options.environment), call.requestId);
    }
    const error = toApiError(thrown);
    call.cause ??= error.code;
    const { requestId, route } = call;
    if (!(thrown instanceof ApiError)) logThrown(log, thrown, error, { requestId, route });
    return replyOf(error, requestId);
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const address = clientAddress(req, proxies);
    const { method = '' } = req;
    const call: CallRecord = { requestId: randomUUID(), startedAt: performance.now(), address, route: 'none' };
    res.on('close', () => {
      recordCall(log, req, res, call);
    });
    try {
      // A client's own traceparent is ignored: a stranger could write into any trace. See decisions/monitoring.
      const reply = await inSpan({ name: method, kind: 'server', traceparent: null }, async (span) => {
        call.traceId = span.traceId;
        const made = await answer(req, call).catch((thrown: unknown) => {
          if (thrown instanceof ClientGoneError) throw thrown;
          return refuse(thrown, call);
        });
        span.describe(`${method} ${call.route}`, {
          'http.route': call.route,
          'http.response.status_code': 'sendTo' in made ? 200 : made.status,
        });
        return made;
      });
      const logged = loggedRequest(req, call, reply);
      if (logged !== undefined) requestLog?.record(logged);
      if ('sendTo' in reply) {
        await sendStream(res, reply, call);
        return;
      }
      if (call.isFlood === true) await holdBack(req.socket);
      send(req, res, reply, call);
    } catch (err) {
      if (!(err instanceof ClientGoneError)) log.error('could not send an answer', { requestId: call.requestId, err });
      res.destroy();
    }
  }

  return (req, res) => {
    void serve(req, res);
  };
}
