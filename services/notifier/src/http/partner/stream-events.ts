import type { RequestHandler } from 'express';
import { CallbackStreamQuery } from '@pay/contract/api/event-log.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { decrypt, encrypt } from '@pay/shared/encryption/encryption.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { sendEventStream } from '@pay/shared/http/event-stream.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { createInFlight } from '@pay/shared/service-client/in-flight.ts';
import type { Deps } from '../../deps.ts';
import { settledEvents, streamEvents, type Streamed } from '../../use-cases/stream-events.ts';

/** Streams of one replica; each costs a few statements for what it sends. What they wait for, they ask together. */
const STREAMS_MAX = 200;
const PARTNERS_STREAMS_MAX = 8;
const FULL_RETRY_AFTER_SECONDS = 2;

/**
 * GET /api/event-stream: server-sent events. The id of each is the partner's cursor, encrypted: the numbers are those of all
 * partners together, and would tell how much there is of the others. See decisions/event-stream.
 */
export function streamEventsRoute(deps: Deps): RequestHandler {
  const places = createInFlight({ total: STREAMS_MAX, perPartner: PARTNERS_STREAMS_MAX });
  const settled = settledEvents(deps.db);
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const { after: cursor } = validateQuery(CallbackStreamQuery, req.url);
    const after = cursor === undefined ? undefined : readCursor(deps, partnerId, cursor);
    const leave = places.enter(partnerId);
    if (leave === undefined) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: FULL_RETRY_AFTER_SECONDS });
    const { news, unsubscribe } = deps.stored.subscribe(partnerId);
    const idOf = (position: bigint) => encrypt(deps.encryptionKeys, Buffer.from(String(position)), contextOf(partnerId));
    try {
      await sendEventStream(res, 'events', async function* (ended) {
        for await (const { position, events } of streamEvents(deps, { partnerId, after, news, settled }, ended))
          yield events.length === 0
            ? [{ id: idOf(position) }]
            : events.map((one) => ({ id: idOf(one.position), type: one.type, data: render(one) }));
      });
    } finally {
      unsubscribe();
      leave();
    }
  };
}

const contextOf = (partnerId: PartnerId): string => `event-stream:${partnerId}`;

/** @throws ApiError 400 for what is not an id of this partner's stream */
function readCursor({ encryptionKeys }: Deps, partnerId: PartnerId, cursor: string): bigint {
  try {
    return BigInt(decrypt(encryptionKeys, cursor, contextOf(partnerId)).toString());
  } catch {
    throw invalidField('after', 'must be the id of an event of this stream');
  }
}

/** What the callback would be: its headers, and its body as text. A partner without a secret has no signature. */
const render = ({ eventId, type, headers, body }: Streamed) => ({
  eventId,
  type,
  headers,
  body: body.toString('utf8'),
});
