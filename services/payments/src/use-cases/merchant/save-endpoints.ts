import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Committed } from '@pay/shared/facts/hand-over.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { EndpointsUpdated } from '@pay/contract/messages.ts';
import { saveEndpoints, type Endpoints, type NewEndpoints } from '../../db/merchant/endpoints.ts';
import type { ApiDeps } from '../../deps.ts';

/** Usually a replica of the notifier that is being replaced. */
const RETRY_AFTER_SECONDS = 1;

/**
 * PUT /api/integration/endpoints. What is answered is in force: the notifier has it by then, so that no later event goes to the earlier
 * address, or is kept as one that the partner has not switched on.
 * @throws ApiError SERVICE_UNAVAILABLE if the notifier does not say so: the addresses are saved, and it will get them
 */
export async function saveIntegrationEndpoints(deps: ApiDeps, endpoints: NewEndpoints): Promise<Endpoints> {
  const { saved, fact } = await save(deps, endpoints);
  try {
    await deps.notifier.handOver(fact);
  } catch (err) {
    deps.log.warn('the notifier has not taken new addresses yet', { err, partnerId: saved.partnerId });
    throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  return saved;
}

type Saved = { readonly saved: Endpoints; readonly fact: Committed };

function save(deps: ApiDeps, endpoints: NewEndpoints): Promise<Saved> {
  return inTransaction(deps.db, async (tx) => {
    const saved = await saveEndpoints(tx, endpoints);
    const payload: EndpointsUpdated = {
      partnerId: saved.partnerId,
      callbackUrl: saved.callbackUrl,
      returnUrl: saved.returnUrl,
      extraEvents: saved.extraEvents,
      revision: saved.revision,
      updatedAt: saved.updatedAt.toISOString(),
    };
    const message = {
      type: 'integration.endpoints_updated',
      aggregateId: saved.partnerId,
      occurredAt: saved.updatedAt,
      payload,
    };
    const messageId = await appendToOutbox(tx, message);
    return { saved, fact: { ...message, messageId, partnerId: saved.partnerId } };
  });
}
