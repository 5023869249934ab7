import type { ServerResponse } from 'node:http';
import { RequestLogQuery, RequestStreamQuery, type RequestLogList } from '@pay/contract/api/request-log.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { sendEventStream } from '@pay/shared/http/event-stream.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { createInFlight } from '@pay/shared/service-client/in-flight.ts';
import type { LoggedRequest } from '../db/request-log.ts';
import { readRequests, settledRequests, streamRequests } from '../request-log/read.ts';
import type { RequestLog } from '../request-log/record.ts';
import type { Answer } from '../forwarding/forwarder.ts';

/** What the gateway answers itself: the partner's requests, in TEST. See decisions/event-stream. */
export type OwnRoutes = {
  /** @throws ApiError 400 */
  list(partnerId: PartnerId, target: string): Promise<Answer>;
  /**
   * How to send the stream.
   * @throws ApiError 400, 429
   */
  stream(partnerId: PartnerId, target: string): (res: ServerResponse) => Promise<void>;
};

const STREAMS_MAX = 100;
const PARTNERS_STREAMS_MAX = 4;
const FULL_RETRY_AFTER_SECONDS = 2;

export function createOwnRoutes(requestLog: RequestLog, tokens: PageTokens): OwnRoutes {
  const { db } = requestLog;
  const places = createInFlight({ total: STREAMS_MAX, perPartner: PARTNERS_STREAMS_MAX });
  const settled = settledRequests(db);
  /** A list begins before its position, a stream after it: neither takes the other's. */
  const readToken = (name: 'pageToken' | 'after', scope: readonly string[], token: string | undefined) => {
    if (token === undefined) return undefined;
    const position = tokens.read(token, [name, ...scope]);
    if (position === undefined) throw invalidField(name, 'must come from this list or stream');
    return BigInt(position);
  };
  return {
    async list(partnerId, target) {
      const { limit, pageToken, verified } = validateQuery(RequestLogQuery, target);
      const scope = [partnerId, verified];
      const before = readToken('pageToken', scope, pageToken);
      const { items, next } = await readRequests(db, { partnerId, isVerified: verified === 'true' }, before, limit);
      const nextPageToken = next === undefined ? null : tokens.write(String(next), ['pageToken', ...scope]);
      const answer: Wire<typeof RequestLogList> = { items: items.map(render), nextPageToken };
      return {
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.from(JSON.stringify(answer)),
      };
    },
    stream(partnerId, target) {
      const after = readToken('after', [partnerId], validateQuery(RequestStreamQuery, target).after);
      const leave = places.enter(partnerId);
      if (leave === undefined) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: FULL_RETRY_AFTER_SECONDS });
      const idOf = (position: bigint) => tokens.write(String(position), ['after', partnerId]);
      return async (res) => {
        const { news, unsubscribe } = requestLog.subscribe(partnerId);
        try {
          await sendEventStream(res, 'requests', async function* (ended) {
            for await (const { position, requests } of streamRequests(db, { partnerId, after, news, settled }, ended))
              yield requests.length === 0
                ? [{ id: idOf(position) }]
                : requests.map((one) => ({ id: idOf(one.position), type: 'request', data: render(one) }));
          });
        } finally {
          unsubscribe();
          leave();
        }
      };
    },
  };
}

function render(row: LoggedRequest): Wire<typeof RequestLogList>['items'][number] {
  const { requestId, method, path, status, durationMs, code, error, details } = row;
  return {
    requestId,
    at: row.at.toISOString(),
    method,
    path,
    status,
    durationMs,
    code,
    error,
    details: details.map(({ field, message }) => ({ field, message })),
  };
}
