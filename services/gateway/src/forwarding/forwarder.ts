import { CircuitOpenError } from '@pay/shared/breaker/breaker.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Answer as ServiceAnswer } from '@pay/shared/service-client/ask-replica.ts';
import type { LaneName } from '@pay/shared/service-client/lanes.ts';
import { NoAnswerError, PlacesTakenError } from '@pay/shared/service-client/no-answer.ts';
import type { ServiceClient } from '@pay/shared/service-client/service-client.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** What a service is asked. */
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

/** A service behind the gateway, for partners. */
export type Forwarder = {
  /**
   * Asks one replica; a GET that got no answer, or none within a second, is asked of another too. A command whose bytes may
   * have arrived is never sent twice: its outcome is the partner's to read.
   * @throws ApiError 503 with Retry-After. OUTCOME_UNKNOWN for a command of which a byte may have left and no answer came;
   * SERVICE_UNAVAILABLE where nothing changed: for a read, and at once when the breaker of the call's lane is open, or when all
   * its places, or the partner's, are taken
   */
  ask(request: Forwarded): Promise<Answer>;
};

/** The whole of a call. Longer than any use case takes, shorter than partners' own timeouts. */
export const DEADLINE_MS = 15_000;
/** Headers of an answer that partners get. Everything else is the inside of the house. */
const PASSED_ON = ['content-type', 'retry-after', 'idempotency-replayed', 'allow'] as const;
const RETRY_AFTER_SECONDS = 5;
/** Places become free as calls end: sooner than a service that is down comes back. */
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
          passedOn,
        );
      } catch (error) {
        if (error instanceof PlacesTakenError) throw unavailable(BUSY_RETRY_AFTER_SECONDS);
        if (error instanceof CircuitOpenError) throw unavailable(RETRY_AFTER_SECONDS);
        log.warn('service did not answer', { target: name, requestId, err: error });
        const isUnknown = !isRead && error instanceof NoAnswerError && error.wasSent;
        throw isUnknown
          ? new ApiError('OUTCOME_UNKNOWN', { retryAfterSeconds: RETRY_AFTER_SECONDS })
          : unavailable(RETRY_AFTER_SECONDS);
      }
    },
  };
}

const unavailable = (retryAfterSeconds: number) => new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds });

function passedOn({ status, headers, body }: ServiceAnswer): Answer {
  const passed: Record<string, string> = {};
  for (const header of PASSED_ON) {
    const value = headers[header];
    if (typeof value === 'string') passed[header] = value;
  }
  return { status, headers: passed, body };
}

/** The headers of the inner request, all of them ours or named here: nothing else that a client sends goes through. */
function headersFor({ requestId, idempotencyKey, contentType }: Forwarded): Record<string, string> {
  return {
    'x-request-id': requestId,
    ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  };
}
