import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { findPartnerEvent, type EventRow } from '../db/event-log.ts';
import { admitReplay, makeDue } from '../db/resends.ts';
import type { Deps } from '../deps.ts';

/** Stored in the event log in place of an operator's login. */
export const BY_PARTNER = 'partner';

/**
 * POST /api/events/{eventId}/replay: sends one of the partner's own events again, whatever its status, including one
 * that was stored and never sent: same eventId and bytes, a new round of the plan. A waiting event is tried now.
 * See decisions/partner-events.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED; NOT_FOUND, also for another partner's event; ENDPOINTS_NOT_CONFIGURED while
 * there is no address or never was a secret; RATE_LIMITED after sixty in a minute
 */
export async function replayEvent(
  deps: Deps,
  request: IdempotentRequest,
  eventId: string,
): Promise<{ readonly event: EventRow; readonly replayed: boolean }> {
  const { partnerId } = request;
  const sent = await inTransaction(deps.db, async (tx) => {
    const { replayed } = await once(tx, request, { objectId: eventId, status: 202 }, async () => {
      if ((await findPartnerEvent(tx, partnerId, eventId)) === undefined) throw new ApiError('NOT_FOUND');
      await makeDue(tx, [eventId], BY_PARTNER);
      // The receiver's row is locked last, as when attempts are recorded.
      const admission = await admitReplay(tx, partnerId);
      if (admission.kind === 'not-configured') throw new ApiError('ENDPOINTS_NOT_CONFIGURED', { text: NOT_CONFIGURED });
      if (admission.kind === 'wait') throw new ApiError('RATE_LIMITED', { retryAfterSeconds: admission.seconds });
    });
    const event = await findPartnerEvent(tx, partnerId, eventId);
    if (event === undefined) throw new ApiError('NOT_FOUND');
    return { event, replayed };
  });
  if (!sent.replayed) deps.delivery.wake();
  return sent;
}

/** Said where an event cannot be sent: it would be answered 202 and wait for a secret. */
export const NOT_CONFIGURED = 'save callbackUrl and returnUrl, and fetch the callback secret first';
