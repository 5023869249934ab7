import type { RequestHandler } from 'express';
import type { TestCallback } from '@pay/contract/api/integration.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import type { Deps } from '../../deps.ts';
import { BY_PARTNER } from '../../use-cases/replay-event.ts';
import { sendTestCallback } from '../../use-cases/resend-event.ts';

/** POST /api/integration/test-callback. Once per minute. See decisions/partner-events. */
export function sendTestCallbackRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const { eventId, aggregateId } = await sendTestCallback(deps, partnerOf(res), {
      login: BY_PARTNER,
      isOperator: false,
    });
    const answer: Wire<typeof TestCallback> = { eventId, type: 'payment.completed', orderId: aggregateId };
    res.status(202).json(answer);
  };
}
