import type { RequestHandler } from 'express';
import { callerOf } from '@pay/shared/http/caller.ts';
import type { Deps } from '../deps.ts';
import { sendTestCallback } from '../use-cases/resend-event.ts';

/** Stands where an operator's login would, in the event log. */
const BY_PARTNER = { login: 'partner', isOperator: false } as const;

/** POST /api/integration/test-callback. Once a minute. docs/adr/0040, 0102. */
export function sendTestCallbackRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const { eventId, type, aggregateId } = await sendTestCallback(deps, callerOf(res).partnerId, BY_PARTNER);
    res.status(202).json({ eventId, type, orderId: aggregateId });
  };
}
