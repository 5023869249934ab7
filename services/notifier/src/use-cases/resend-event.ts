import { inTransaction } from '@pay/shared/database/database.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { findEvent, findNewestEvent, type EventRow } from '../db/event-log.ts';
import { insertAction } from '../db/operator-log.ts';
import { makeDue } from '../db/resends.ts';
import type { Deps } from '../deps.ts';

/**
 * Sends an event again: the same bytes, a new round of the plan. A waiting event is tried now. Never runs beside another
 * attempt of the same payment.
 * @throws ApiError NOT_FOUND
 */
export async function resendEvent(deps: Deps, by: string, eventId: string): Promise<EventRow> {
  const event = await inTransaction(deps.db, async (tx) => {
    const found = await findEvent(tx, eventId);
    if (found === undefined) throw new ApiError('NOT_FOUND');
    await makeDue(tx, [eventId], by);
    await insertAction(tx, { operator: by, action: 'RESEND_EVENT', partnerId: found.partnerId, details: { eventId } });
    return (await findEvent(tx, eventId)) ?? found;
  });
  deps.wakeDelivery();
  return event;
}

/** What a receiver is checked with: the event that every partner must handle. */
const TEST_TYPE = 'payment.completed';

/**
 * Checks a partner's receiver with its newest real payment.completed: a receiver that keeps the contract answers 200 and
 * does nothing, because it has stored that eventId.
 * @throws ApiError NOT_FOUND when the partner has none yet
 */
export async function sendTestCallback(deps: Deps, by: string, partnerId: string): Promise<EventRow> {
  const event = await findNewestEvent(deps.db, partnerId, TEST_TYPE);
  if (event === undefined) throw new ApiError('NOT_FOUND', { text: 'the partner has no payment.completed event yet' });
  return resendEvent(deps, by, event.eventId);
}
