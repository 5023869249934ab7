import type { Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { findEvent, findNewestEvent, type EventRow } from '../db/event-log.ts';
import { insertAction } from '../db/audit-log.ts';
import { findIsConfigured } from '../db/receivers.ts';
import { admitTest, makeDue } from '../db/resends.ts';
import type { Deps } from '../deps.ts';
import { NOT_CONFIGURED } from './replay-event.ts';

/**
 * Resends an event: the same bytes, a new round of the plan. A waiting event is tried now. Never runs beside another
 * attempt of the same payment.
 * @throws ApiError NOT_FOUND; ENDPOINTS_NOT_CONFIGURED while there is no address or never was a secret
 */
export async function resendEvent(deps: Deps, by: string, eventId: string): Promise<EventRow> {
  const event = await inTransaction(deps.db, async (tx) => {
    const found = await findEvent(tx, eventId);
    if (found === undefined) throw new ApiError('NOT_FOUND');
    return again(tx, found, by, true);
  });
  deps.delivery.wake();
  return event;
}

/** Receivers are checked with the event that every partner must handle. */
const TEST_TYPE = 'payment.completed';

/**
 * Checks a partner's receiver with its newest real payment.completed: a receiver that follows the contract answers 200
 * and does nothing, because it has already stored that eventId. Once per minute and partner. The attempt names who
 * asked; an operator's request is in the audit log as well. See decisions/partner-events.
 * @throws ApiError NOT_FOUND if the partner has none yet; ENDPOINTS_NOT_CONFIGURED, RATE_LIMITED
 */
export async function sendTestCallback(
  deps: Deps,
  partnerId: PartnerId,
  by: { readonly login: OperatorLogin; readonly isOperator: boolean },
): Promise<EventRow> {
  const newest = await findNewestEvent(deps.db, partnerId, TEST_TYPE);
  if (newest === undefined) throw new ApiError('NOT_FOUND', { text: 'the partner has no payment.completed event yet' });
  const event = await inTransaction(deps.db, async (tx) => {
    // The receiver's row is locked last, as when attempts are recorded.
    const sent = await again(tx, newest, by.login, by.isOperator);
    const { waitSeconds } = await admitTest(tx, partnerId);
    if (waitSeconds > 0) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: waitSeconds });
    return sent;
  });
  deps.delivery.wake();
  return event;
}

async function again(tx: Tx, event: EventRow, by: string, isOnRecord: boolean): Promise<EventRow> {
  const { eventId, partnerId } = event;
  if (!(await findIsConfigured(tx, partnerId))) throw new ApiError('ENDPOINTS_NOT_CONFIGURED', { text: NOT_CONFIGURED });
  await makeDue(tx, [eventId], by);
  if (isOnRecord) await insertAction(tx, { operator: by, action: 'RESEND_EVENT', partnerId, details: { eventId } });
  return (await findEvent(tx, eventId)) ?? event;
}
