import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { endKeys } from '../db/callback-keys.ts';
import { insertAction } from '../db/audit-log.ts';
import { lockReceiver, openRotation } from '../db/receivers.ts';
import type { Deps } from '../deps.ts';

/**
 * Lets a partner fetch a new secret. For `overlapSeconds` after that, both sign. Zero is for a compromise: the old
 * secret stops signing at once, and events wait until the partner has a new one.
 * @throws ApiError NOT_FOUND
 */
export async function openSecretRotation(deps: Deps, operator: OperatorLogin, partnerId: PartnerId, overlapSeconds: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if ((await lockReceiver(tx, partnerId)) === undefined) throw new ApiError('NOT_FOUND');
    await openRotation(tx, partnerId, overlapSeconds);
    if (overlapSeconds === 0) await endKeys(tx, partnerId, 0);
    await insertAction(tx, { operator, action: 'OPEN_SECRET_ROTATION', partnerId, details: { overlapSeconds } });
  });
}
