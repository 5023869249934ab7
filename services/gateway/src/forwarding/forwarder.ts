import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CircuitOpenError } from '@pay/shared/breaker/breaker.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { whenDraining } from '@pay/shared/http/server.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Answer as ServiceAnswer } from '@pay/shared/service-client/ask-replica.ts';
import type { LaneName } from '@pay/shared/service-client/lanes.ts';
import { NoAnswerError, PlacesTakenError } from '@pay/shared/service-client/no-answer.ts';
import type { ServiceClient } from '@pay/shared/service-client/service-client.ts';
import { isOwnAnswer } from './own-answer.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** A request to a service. */
export type Forwarded = {
  readonly lane: LaneName;
  readonly method: string;
  readonly target: string;
  readonly partnerId: PartnerId;
  readonly requestId: string;
  readonly idempotencyKey: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** A service behind the gateway, as used for partners' requests. */
export type Forwarder = {
  /**
   * Sends the request to one replica. A GET that gets no answer, or none within a second, is retried on another
   * replica. A command whose bytes may have arrived is never sent twice: the partner reads its outcome.
   * @throws ApiError 503 with Retry-After. OUTCOME_UNKNOWN: a command of which a byte may have been sent got no answer.
   * SERVICE_UNAVAILABLE: nothing changed. Thrown for reads, and immediately when the circuit breaker of the call's lane
   * is open or all its places, or all of the partner's, are taken
   */
  ask(request: Forwarded): Promise<Answer>;
  /**
   * The same for a response that goes on, in the lane `stream`: it is passed on as it comes. A refusal comes whole.
   * @throws ApiError 503 SERVICE_UNAVAILABLE; 429 if the partner has too many streams
   */
  open(request: Forwarded): Promise<Answer | StreamedAnswer>;
};

/** A response that goes on. It must be sent. */
export type StreamedAnswer = { readonly sendTo: (res: ServerResponse) => Promise<void> };

/** Deadline of the beginning of a response that goes on. */
const OPEN_MS = 5_000;
/** Deadline of the whole call. Longer than any use case takes, shorter than partners' own timeouts. */
export const DEADLINE_MS = 15_000;
/** Response headers that are passed on to partners. All others are internal. */
const PASSED_ON = ['content-type', 'retry-after', 'idempotency-replayed', 'allow'] as const;
const RETRY_AFTER_SECONDS = 5;
/** Places free up as calls end, which is sooner than a failed service recovers. */
const BUSY_RETRY_AFTER_SECONDS = 1;

export function createForwarder(name: string, client: ServiceClient, log: Log): Forwarder {
  return {
    async ask(request) {
      const { lane, method, target: path, partnerId, requestId, body } = request;
      const isRead = method === 'GET';
      try {
        return await client.ask(
          {
            lane,
            operation: method,
            method,
            path,
            partnerId,
            headers: headersFor(request),
            body: body.length === 0 ? null : body,
            deadlineMs: DEADLINE_MS,
            mayRepeat: isRead,
          },
          (answer) => passedOn(answer, requestId),
        );
      } catch (error) {
        if (error instanceof PlacesTakenError) throw unavailable(BUSY_RETRY_AFTER_SECONDS);
        if (error instanceof CircuitOpenError) throw unavailable(RETRY_AFTER_SECONDS);
        log.warn('service did not answer', { target: name, requestId, err: error });
        const isUnknown = !isRead && !(error instanceof NoAnswerError && !error.wasSent);
        throw isUnknown ? new ApiError('OUTCOME_UNKNOWN', { retryAfterSeconds: RETRY_AFTER_SECONDS }) : unavailable(RETRY_AFTER_SECONDS);
      }
    },
    async open(request) {
      const { method, target: path, partnerId, requestId } = request;
      try {
        const call = { operation: 'stream', method, path, partnerId, headers: headersFor(request), body: null };
        const { status, headers, body } = await client.open({ ...call, deadlineMs: OPEN_MS });
        const isOwn = isOwnAnswer({ status, headers }, requestId);
        if (status === 200 && isOwn) return { sendTo: (res) => passStream(res, body, passedHeaders(headers)) };
        return passedOn({ status, headers, body: Buffer.concat(await body.toArray()) }, requestId);
      } catch (error) {
        if (error instanceof PlacesTakenError) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS });
        log.warn('service did not answer', { target: name, requestId, err: error });
        throw unavailable(RETRY_AFTER_SECONDS);
      }
    },
  };
}

/**
 * Passes a response on as it comes, and no faster than the client reads. Ends it when either side leaves, or the listener
 * drains: the client continues elsewhere.
 */
async function passStream(res: ServerResponse, body: Readable, headers: Readonly<Record<string, string>>): Promise<void> {
  const end = () => {
    body.destroy();
    res.end();
  };
  res.writeHead(200, { ...headers, 'X-Accel-Buffering': 'no' }).flushHeaders();
  const forget = whenDraining(res, end);
  // Whoever breaks off, the other side is told by the end of the connection: the client comes again.
  if (!res.writableEnded) await pipeline(body, res).catch(() => undefined);
  forget();
}

const unavailable = (retryAfterSeconds: number) => new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds });

/** @throws NoAnswerError if somebody else answered: what became of the request is as unknown as without an answer */
function passedOn(answer: Pick<ServiceAnswer, 'status' | 'headers' | 'body'>, requestId: string): Answer {
  const { status, headers, body } = answer;
  if (!isOwnAnswer(answer, requestId)) throw new NoAnswerError({ isLate: false, wasSent: true });
  return { status, headers: passedHeaders(headers), body };
}

function passedHeaders(headers: ServiceAnswer['headers']): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const header of PASSED_ON) {
    const value = headers[header];
    if (typeof value === 'string') passed[header] = value;
  }
  return passed;
}

/** Headers of the internal request. All are ours or named here: nothing else that a client sends is passed on. */
function headersFor({ requestId, idempotencyKey, contentType }: Forwarded): Record<string, string> {
  return {
    'x-request-id': requestId,
    ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  };
}
