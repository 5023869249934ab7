import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@pay/shared/logging/logger.ts';
import { httpDuration, httpRequests } from '@pay/shared/telemetry/metrics.ts';

/** What the line about a call says. Filled while the call goes through the gateway. */
export type CallRecord = {
  readonly requestId: string;
  /** On the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  readonly address: string;
  /** The route's pattern, never the path: a path carries ids. */
  route: string;
  partner?: string;
  fingerprint?: string;
  /** Why it was refused. */
  cause?: string;
  /** Whoever sent it fails so often that it is held back. */
  isFlood?: boolean;
};

/** The client went away: not a status of ours, but a number that logs and metrics can count. */
const CLIENT_GONE = 499;

/** One line and one metric a call. Issue "Key rollover and audit": no bodies, no secrets. */
export function recordCall(log: Log, req: IncomingMessage, res: ServerResponse, call: CallRecord): void {
  const { requestId, startedAt, address, route, partner, fingerprint, cause } = call;
  const ms = performance.now() - startedAt;
  const method = req.method ?? '';
  const status = res.writableFinished ? res.statusCode : CLIENT_GONE;
  httpRequests.inc({ listener: 'api', method, route, status });
  httpDuration.observe({ listener: 'api', method, route }, ms / 1_000);
  const outcome = status < 400 ? 'accepted' : status < 500 ? 'refused' : 'failed';
  const durationMs = Math.round(ms * 100) / 100;
  log.info('call', { requestId, partner, fingerprint, method, route, status, outcome, cause, durationMs, address });
}
