import type { IncomingMessage, ServerResponse } from 'node:http';
import { isStream } from '@pay/shared/http/event-stream.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { httpDuration, httpRequests } from '@pay/shared/telemetry/metrics.ts';

/** The contents of a call's log line. Filled in while the call is processed. */
export type CallRecord = {
  readonly requestId: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  readonly address: string;
  /** The route's pattern, never the path: paths contain ids. */
  route: string;
  partner?: string;
  fingerprint?: string;
  /** The partner signed it: until then anybody may have named its key. */
  isVerified?: boolean;
  /** Why it was refused. */
  cause?: string;
  /** Of the call's trace, if it is recorded. */
  traceId?: string | undefined;
  /** The sender fails so often that it is being slowed down. */
  isFlood?: boolean;
};

/** The client disconnected. We never send this status; logs and metrics count it. */
const CLIENT_GONE = 499;

/** One log line and one metric per call: no bodies, no secrets. */
export function recordCall(log: Log, req: IncomingMessage, res: ServerResponse, call: CallRecord): void {
  const { requestId, startedAt, address, route, partner, fingerprint, cause, traceId } = call;
  const ms = performance.now() - startedAt;
  const method = req.method ?? '';
  const status = res.writableFinished ? res.statusCode : CLIENT_GONE;
  httpRequests.inc({ listener: 'api', method, route, status });
  if (!isStream(res)) httpDuration.observe({ listener: 'api', method, route }, ms / 1_000, traceId);
  const outcome = status < 400 ? 'accepted' : status < 500 ? 'refused' : 'failed';
  const durationMs = Math.round(ms * 100) / 100;
  log.info('call', {
    requestId,
    traceId,
    partner,
    fingerprint,
    method,
    route,
    status,
    outcome,
    cause,
    durationMs,
    address,
  });
}
