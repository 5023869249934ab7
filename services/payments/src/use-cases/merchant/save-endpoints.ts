import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { EndpointsUpdated } from '@pay/contract/messages.ts';
import { saveEndpoints, type Endpoints, type NewEndpoints } from '../../db/merchant/endpoints.ts';
import type { Deps } from '../../deps.ts';

/** PUT /api/integration/endpoints. The message commits with the addresses, so the notifier receives it before any payment's. */
export async function saveIntegrationEndpoints(deps: Deps, endpoints: NewEndpoints): Promise<Endpoints> {
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
    await appendToOutbox(tx, {
      type: 'integration.endpoints_updated',
      aggregateId: saved.partnerId,
      occurredAt: saved.updatedAt,
      payload,
    });
    return saved;
  });
}
