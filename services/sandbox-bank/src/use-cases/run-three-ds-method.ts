import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { noteThreeDsMethod } from '../db/operations.ts';
import type { Deps } from '../deps.ts';

/** What the merchant's page posts from its hidden frame, as EMV defines it. */
export type ThreeDsMethodData = {
  readonly threeDSServerTransID: string;
  readonly threeDSMethodNotificationURL: string;
};

/**
 * The issuer's 3DS Method: it has seen the browser. Returns where the browser goes next.
 * @throws ApiError NOT_FOUND for an authentication that is not in progress, or a notification address on another origin
 * than the merchant's
 */
export async function runThreeDsMethod(deps: Deps, data: ThreeDsMethodData): Promise<URL> {
  const notification = new URL(data.threeDSMethodNotificationURL);
  return inTransaction(deps.db, async (tx) => {
    const order = await noteThreeDsMethod(tx, data.threeDSServerTransID);
    if (order?.returnUrl === undefined || order.returnUrl === null) throw new ApiError('NOT_FOUND');
    if (new URL(order.returnUrl).origin !== notification.origin) throw new ApiError('NOT_FOUND');
    return notification;
  });
}
