import type { RequestHandler } from 'express';
import { partnerOf } from '@pay/shared/http/caller.ts';
import type { Deps } from '../../deps.ts';
import { BY_PARTNER } from '../../use-cases/replay-event.ts';
import { sendTestCallback } from '../../use-cases/resend-event.ts';

/** POST /api/integration/test-callback. Once a minute. docs/adr/0040, 0102. */
export function sendTestCallbackRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const { eventId, type, aggregateId } = await sendTestCallback(deps, partnerOf(res), {
      login: BY_PARTNER,
      isOperator: false,
    });
    res.status(202).json({ eventId, type, orderId: aggregateId });
  };
}
