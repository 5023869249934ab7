import type { RequestHandler } from 'express';
import { callerOf } from '@pay/shared/http/caller.ts';
import type { Deps } from '../deps.ts';
import { sendTestCallback } from '../use-cases/resend-event.ts';

/** Stands where an operator's login would, in the event log and the audit trail. */
const BY_PARTNER = 'partner';

/** POST /api/integration/test-callback. docs/adr/0040. */
export function sendTestCallbackRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const { eventId, type, aggregateId } = await sendTestCallback(deps, BY_PARTNER, callerOf(res).partnerId);
    res.status(202).json({ eventId, type, orderId: aggregateId });
  };
}
