import { randomUUID } from 'node:crypto';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { beginAuthentication } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import { THREE_DS_VERSION } from '../domain/authentication.ts';
import { cardTraits, type CardDetails } from '../domain/card.ts';
import { lockCurrent } from './current-operation.ts';

export type Preparation = {
  readonly threeDsVersion: string;
  readonly threeDsServerTransId: string;
  /** The issuer wants to see the browser first. */
  readonly hasMethod: boolean;
};

/**
 * POST /v1/orders/{operationId}/three-ds: the first step of a card's authentication. Each call begins a new one and
 * discards the previous one. No money moves.
 * @throws ApiError NOT_FOUND; STALE_REVISION if the order accepts no card (any more)
 */
export async function prepareThreeDs(deps: Deps, operationId: string, card: CardDetails): Promise<Preparation> {
  return inTransaction(deps.db, async (tx) => {
    const order = await lockCurrent(tx, operationId, await clock(tx));
    if (order.kind !== 'ORDER' || order.method !== 'CARD' || order.status !== 'REGISTERED') {
      throw new ApiError('STALE_REVISION', { text: 'this order does not accept a card' });
    }
    const threeDsServerTransId = randomUUID();
    await beginAuthentication(tx, operationId, threeDsServerTransId);
    const hasMethod = cardTraits(card).outcome === 'THREE_DS_METHOD';
    return { threeDsVersion: THREE_DS_VERSION, threeDsServerTransId, hasMethod };
  });
}
